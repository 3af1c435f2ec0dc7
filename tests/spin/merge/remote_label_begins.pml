/* Nothing is merged into a statement whose label is asked for. */
byte x;
active proctype A() {
    byte a, b;
    L: a = 1; a = 2; a = 3;
    M: a == 3; b = 1; b = 2;
    K: a == 3; b = 1; b = 2;
    atomic { x = 0; N: x = 1; x = 2; O: x == 2; x = 3; P: skip; x = 5; Q: x = 6; x = 7; R: skip; x = 8; x = 9 }
    b = 3; S: goto T; T: b = 4
}
active proctype B() { A@L; A@M; A@N; A@O; A@P; A@Q; A@S }
