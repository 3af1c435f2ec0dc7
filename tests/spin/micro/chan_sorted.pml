/* Sorted send puts a message before the first larger one, behind equals. */
chan c = [4] of { byte, byte };
active proctype A() {
  c!!3,0; c!!1,0; c!!2,1; c!!2,0;
  c?[1,0]; c?1,0; assert(c?[2,0]); c?2,0; c?2,1; c?3,0 }
