/*
 * An elevator: a cabin, a door, a controller, and people who press buttons.
 * A classic exercise; this version takes orders from the door and the cabin by
 * rendezvous and sweeps up and down like the an arm of a disk.
 *
 *   N     floors
 *   P     persons
 *   BUG   the door is told to open without waiting for the cabin to stop
 *
 * Checked: the door is open only while the cabin stands, and persons leave
 * where they wanted to (assertions), no deadlock;
 * ltl served: a call on floor 0 is answered (needs weak fairness).
 */
#ifndef N
#define N 3
#endif
#ifndef P
#define P 2
#endif

mtype = { up, down, stopped, open, close, closed };

#ifdef BUG
#define STOPPED skip
#else
#define STOPPED motor!stopped
#endif

chan motor = [0] of { mtype };
chan door = [0] of { mtype };
bool call[N];
byte floor;
bool moving;
bool is_open;

active proctype Controller()
{
    mtype direction = up;
    byte ahead;
    bool wanted;

end:
    do
    :: atomic {                         /* anything to do? */
           wanted = false;
           ahead = 0;
           do
           :: ahead < N -> wanted = wanted || call[ahead]; ahead++
           :: else -> ahead = 0; break
           od
       };
       if
       :: wanted && call[floor] ->
            door!open;
            call[floor] = false;
            door!close;
            door?closed
       :: wanted && !call[floor] ->
            if
            :: floor == 0 -> direction = up
            :: floor == N - 1 -> direction = down
            :: else
            fi;
            motor!direction;
#ifndef BUG
            motor?stopped
#endif
       :: !wanted
       fi
    od
}

active proctype Cabin()
{
end:
    do
    :: motor?up ->
        moving = true;
        assert(!is_open);
        floor++;
        moving = false;
        STOPPED
    :: motor?down ->
        moving = true;
        assert(!is_open);
        floor--;
        moving = false;
        STOPPED
    od
}

active proctype Door()
{
end:
    do
    :: door?open ->
        is_open = true;
        assert(!moving);
        door?close;
        is_open = false;
        door!closed
    od
}

active [P] proctype Person()
{
    byte at;
    byte goal;

end:
    do
    :: at != 0 -> goal = 0; goto go
    :: at != N - 1 -> goal = N - 1; goto go
    :: at != N / 2 -> goal = N / 2; goto go
go:     call[at] = true;
        if
        :: atomic { is_open && floor == at -> skip };   /* in */
           call[goal] = true;
           is_open && floor == goal;                    /* out */
           at = goal
        fi;
        goal = 0
    od
}

ltl served { [] (call[0] -> <> !call[0]) }
