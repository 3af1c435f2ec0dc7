/* A proctype with the name of a predefined variable. */
proctype _pid() { skip }

init { run _pid() }
