/*
 * The bounded retransmission protocol of Philips, after the account of
 * Helmink, Sellink and Vaandrager (1994): an alternating bit that gives up.
 *
 * A file of CHUNKS chunks goes over lossy channels. A chunk is sent at most
 * 1 + RETRIES times; then the sender reports failure, or "don't know" when
 * only the last acknowledgement is missing. The receiver notices that the
 * sender gave up, and both start over with the next file. Timers run out too
 * early only if EARLY is defined.
 *
 *   CHUNKS, RETRIES, Q (capacity of a channel), EARLY
 *   BUG   the receiver does not check the alternating bit
 *
 * Checked: chunks arrive in order, and the two reports agree (assertions),
 * no deadlock; ltl ends: reports go on for ever.
 */
#ifndef CHUNKS
#define CHUNKS 3
#endif
#ifndef RETRIES
#define RETRIES 2
#endif
#ifndef Q
#define Q 1
#endif

mtype = { running, ok, nok, dont_know };

chan frames = [Q] of { byte, bit };     /* number of the chunk, alternating bit */
chan acks = [Q] of { bit };
byte lost;                              /* frames or acks the timer may act upon */
mtype sender_says = running;
byte received;                          /* chunks of this file at the receiver */
bool reset;                             /* the sender gave up: start afresh */

active proctype Sender()
{
    byte chunk;
    byte tries;
    bit toggle;
    bit answer;

    do
    :: sender_says = running;
       do
       :: chunk < CHUNKS && tries <= RETRIES ->
            if
            :: frames!chunk, toggle
            :: lost++
            fi;
            tries++;
again:      if
            :: acks?answer ->
                if
                :: answer == toggle ->
                    atomic { chunk++; tries = 0; toggle = 1 - toggle; answer = 0 }
                :: else -> answer = 0; goto again
                fi
            :: lost > 0 -> lost--
#ifdef EARLY
            :: true             /* the timer runs out too early */
#endif
            fi
       :: chunk == CHUNKS ->
            sender_says = ok;
            assert(received == CHUNKS);
            break
       :: chunk < CHUNKS && tries > RETRIES ->
            if
            :: chunk == CHUNKS - 1 -> sender_says = dont_know
            :: else -> sender_says = nok; assert(received < CHUNKS)
            fi;
            break
       od;
       /* Both sides start again together, over empty channels. */
       atomic {
           reset = true;
           chunk = 0;
           tries = 0;
           toggle = 0
       };
       !reset
    od
}

active proctype Receiver()
{
    byte chunk;
    bit datum_toggle;
    bit expected;

end:
    do
    :: frames?chunk, datum_toggle ->
        if
#ifdef BUG
        :: received < CHUNKS ->
#else
        :: datum_toggle == expected && received < CHUNKS ->
#endif
            assert(chunk == received);
            atomic { received++; expected = 1 - expected }
        :: else
        fi;
        if
        :: acks!datum_toggle
        :: lost++
        fi;
        atomic { chunk = 0; datum_toggle = 0 }
    :: atomic {
           reset ->
           do
           :: frames?_, _
           :: acks?_
           :: empty(frames) && empty(acks) -> break
           od;
           expected = 0;
           received = 0;
           lost = 0;
           reset = false
       }
    od
}

ltl ends { []<> (sender_says != running) }
