/*
 * Sliding window with go-back-n over lossy first-in first-out channels, after
 * Tanenbaum's account of the protocol.
 *
 * Acknowledgements are cumulative. The sender may give up waiting at any time
 * and sends its whole window again. A packet carries, besides its number
 * modulo M, a tag that changes with every round of numbers: it stands for the
 * data and tells a new packet from an old one with the same number.
 *
 *   W     window
 *   M     sequence numbers; M > W is needed
 *   Q     capacity of a channel
 *   BUG   M = W
 *
 * Checked: everything is delivered once and in order (assertion), no deadlock;
 * ltl progress: deliveries go on for ever (fails: all may be lost for ever).
 */
#ifndef W
#define W 2
#endif
#ifndef M
#ifdef BUG
#define M W
#else
#define M (W + 1)
#endif
#endif
#ifndef Q
#define Q 2
#endif

chan packets = [Q] of { byte, byte };
chan acks = [Q] of { byte };
bool delivered;

active proctype Sender()
{
    byte oldest;        /* not yet acknowledged */
    byte tag;           /* of the oldest */
    byte sent;          /* how many from the oldest on */
    byte ack;

end:
    do
    :: sent < W ->
        if
        :: packets!((oldest + sent) % M), ((tag + (oldest + sent) / M) % 3)
        :: skip                                 /* lost */
        fi;
        sent++
    :: sent > 0 -> sent = 0                     /* timeout: send again */
    :: acks?ack ->
        /* ack is the number the receiver waits for next */
        do
        :: sent > 0 && oldest != ack ->
            atomic {
                tag = (tag + (oldest + 1) / M) % 3;
                oldest = (oldest + 1) % M;
                sent--
            }
        :: else -> break
        od;
        ack = 0
    od
}

active proctype Receiver()
{
    byte next;
    byte tag;
    byte number;
    byte data;

end:
    do
    :: packets?number, data ->
        if
        :: number == next ->
            assert(data == tag);
            delivered = true;
            atomic {
                tag = (tag + (next + 1) / M) % 3;
                next = (next + 1) % M;
                delivered = false
            }
        :: else
        fi;
        atomic { number = 0; data = 0 };
        if
        :: acks!next
        :: skip                                 /* lost */
        fi
    od
}

ltl progress { []<> delivered }
