/* Assignments to _ leave no trace. */
active proctype A() { do :: _ = 1 :: _ = 2 od }
