/* The 256th process: run is not executable, so the model stops (invalid end). */
proctype B() { false }
init { byte i; do :: i < 255 -> run B(); i++ :: else -> break od }
