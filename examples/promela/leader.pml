/*
 * Leader election in a one-way ring, after Peterson (1982) and, independently,
 * Dolev, Klawe and Rodeh (1982): O(n log n) messages.
 *
 * An active process learns the values of its two nearest active predecessors
 * and goes on, with the nearer value, only if that is the largest of the three.
 * The others become relays. A process that meets its own value has won.
 *
 *   N       processes
 *   L       capacity of a link
 *   STRIDE  place i holds the value i * STRIDE mod N, plus one; coprime with N
 *   BUG     a relay mistakes the second message of a phase for the first
 *
 * Checked: the winner carries the largest value and is alone (assertions),
 * everybody learns it (no invalid end state); ltl elected: somebody wins.
 */
#ifndef N
#define N 5
#endif
#ifndef STRIDE
#define STRIDE 2
#endif
#ifndef L
#define L 2
#endif

mtype = { one, two, winner };

chan link[N] = [L] of { mtype, byte };
byte leaders;

proctype Node(byte me; byte id)
{
    byte value = id;
    byte near;
    byte far;
    bool active_now = true;

    link[(me + 1) % N]!one(value);
    do
    :: link[me]?one(near) ->
        if
        :: active_now && near == value ->
            leaders++;
            assert(leaders == 1);
            assert(value == N);
            link[(me + 1) % N]!winner(value);
            break
        :: active_now && near != value ->
            link[(me + 1) % N]!two(near)
        :: else ->
            link[(me + 1) % N]!one(near)
        fi
    :: link[me]?two(far) ->
        if
        :: !active_now ->
#ifdef BUG
            link[(me + 1) % N]!one(far)
#else
            link[(me + 1) % N]!two(far)
#endif
        :: active_now && near > value && near > far ->
            value = near;
            link[(me + 1) % N]!one(value)
        :: else ->
            active_now = false
        fi
    :: link[me]?winner(near) ->
        assert(near == N);
        link[(me + 1) % N]!winner(near);
        break
    od
    /* The winner's own announcement comes back to it and is left in its link. */
}

init {
    byte i;
    atomic {
        for (i : 0 .. N - 1) {
            /* The values 1..N in an order that is not sorted along the ring. */
            run Node(i, (i * STRIDE) % N + 1)
        }
    }
}

ltl elected { <> (leaders == 1) }
