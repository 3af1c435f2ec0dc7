/*
 * The election of examples/promela/leader.pml as it is often used to compare
 * searches for short counterexamples: every node has the same value, so every
 * node wins, and the assertion that there is one winner fails.
 *
 *   N       nodes
 */
#ifndef N
#define N 5
#endif

mtype = { first, second, elected };

chan link[N] = [2 * N] of { mtype, byte };
byte n_winners;

proctype Node(chan from, to; byte id)
{
    byte best = id;
    byte near;
    byte value;
    bool competes = true;
    bool knows_winner = false;

    to!first(id);
    do
    :: from?first(value) ->
        if
        :: !competes -> to!first(value)
        :: competes && value != best ->
            to!second(value);
            near = value
        :: competes && value == best ->
            knows_winner = true;
            to!elected(value)
        fi
    :: from?second(value) ->
        if
        :: !competes -> to!second(value)
        :: competes && near > value && near > best ->
            best = near;
            to!first(near)
        :: else -> competes = false
        fi
    :: from?elected(value) ->
        if
        :: value != id
        :: value == id ->
            n_winners++;
            assert(n_winners == 1)
        fi;
        if
        :: knows_winner
        :: !knows_winner -> to!elected(value)
        fi;
        break
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. N - 1) {
            run Node(link[i], link[(i + 1) % N], 1)
        }
    }
}
