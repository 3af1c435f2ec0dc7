/*
 * The i-protocol of the GNU uucp package: a sliding window with selective
 * repeat and negative acknowledgements, over lossy channels. After the account
 * of Dong, Du, Ramakrishna, Smolka and others (TACAS 1999), with their livelock
 * left out.
 *
 * The receiver keeps packets that come early and asks once for the missing
 * one. The sender sends what is asked for, and the oldest one when it is tired
 * of waiting. A packet carries a tag that changes with every round of numbers
 * and stands for its data.
 *
 *   W     window of both sides
 *   M     sequence numbers; M >= 2 W is needed
 *   Q     capacity of a channel
 *   BUG   M = 2 W - 1
 *
 * Checked: everything is delivered once and in order (assertion), no deadlock;
 * ltl progress: deliveries go on for ever (fails: all may be lost for ever).
 */
#ifndef W
#define W 1
#endif
#ifndef M
#ifdef BUG
#define M (2 * W - 1)
#else
#define M (2 * W)
#endif
#endif
#ifndef Q
#define Q 2
#endif

mtype = { data, ack, nak };

chan down = [Q] of { mtype, byte, bit };
chan up = [Q] of { mtype, byte };
bool delivered;

active proctype Sender()
{
    byte oldest;
    byte sent;
    bit tag;                    /* of the oldest packet */
    byte number;

end:
    do
    :: sent < W ->
        number = (oldest + sent) % M;
        sent++;
        goto transmit
    :: sent > 0 ->              /* timeout */
        number = oldest;
        goto transmit
    :: up?nak(number) ->
        if
        :: (number + M - oldest) % M < sent -> goto transmit
        :: else -> goto settled
        fi
    :: up?ack(number) ->        /* the receiver waits for this number */
        if
        :: (number + M - oldest) % M <= sent ->
            atomic {
                sent = sent - (number + M - oldest) % M;
                tag = (number < oldest -> 1 - tag : tag);
                oldest = number
            }
        :: else
        fi;
        goto settled
transmit:
        if
        :: down!data(number, (number < oldest -> 1 - tag : tag))
        :: skip                 /* lost */
        fi;
settled:
        number = 0
    od
}

active proctype Receiver()
{
    byte next;
    bit tag;                    /* of the next packet */
    bool have[M];
    bit early[M];
    bool asked;
    byte number;
    bit datum;

end:
    do
    :: down?data(number, datum) ->
        if
        :: (number + M - next) % M >= W ->      /* an old one again */
            goto acknowledge
        :: (number + M - next) % M < W && number != next ->
            have[number] = true;
            early[number] = datum;
            if
            :: !asked ->
                asked = true;
                if
                :: up!nak(next)
                :: skip         /* lost */
                fi
            :: else
            fi;
            goto settled
        :: number == next ->
            have[number] = true;
            early[number] = datum
        fi;
        do
        :: have[next] ->
            assert(early[next] == tag);
            delivered = true;
            atomic {
                delivered = false;
                have[next] = false;
                early[next] = 0;
                next = (next + 1) % M;
                tag = (next == 0 -> 1 - tag : tag)
            }
        :: else -> break
        od;
        asked = false;
acknowledge:
        if
        :: up!ack(next)
        :: skip                 /* lost */
        fi;
settled:
        atomic { number = 0; datum = 0 }
    od
}

ltl progress { []<> delivered }
