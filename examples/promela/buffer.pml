/*
 * Producers and consumers with a buffer process between them: every hand-over
 * is a rendezvous. After Dijkstra's bounded buffer (EWD 123).
 *
 *   P, C  producers, consumers
 *   S     slots of the buffer
 *   ITEMS each producer makes before it starts again with item 0
 *   BUG   the buffer is a stack
 *
 * Checked: the items of one producer leave the buffer in the order they were
 * made (assertion), no deadlock; ltl flow: the buffer is not full for ever.
 */
#ifndef P
#define P 2
#endif
#ifndef C
#define C 2
#endif
#ifndef S
#define S 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif

typedef Item { byte producer; byte number };

chan put = [0] of { Item };
chan get = [0] of { Item };
byte due[P];            /* the number that must come next, per producer */
byte used;

active [P] proctype Producer()
{
    Item item;

    item.producer = _pid;
    do
    :: put!item;
       item.number = (item.number + 1) % ITEMS
    od
}

active [C] proctype Consumer()
{
    Item item;

    do
    :: get?item;
       item.producer = 0;
       item.number = 0
    od
}

active proctype Buffer()
{
    Item slot[S];
    Item item;
    byte head;

    do
    :: used < S ->
        if
        :: put?item ->
            d_step {
                slot[(head + used) % S].producer = item.producer;
                slot[(head + used) % S].number = item.number;
                item.producer = 0;
                item.number = 0;
                used++
            }
        :: used > 0 -> goto give
        fi
    :: used == S ->
give:   skip;
        d_step {
#ifdef BUG
            item.producer = slot[(head + used - 1) % S].producer;
            item.number = slot[(head + used - 1) % S].number
#else
            item.producer = slot[head].producer;
            item.number = slot[head].number
#endif
        };
        get!item;
        assert(item.number == due[item.producer]);
        d_step {
            due[item.producer] = (due[item.producer] + 1) % ITEMS;
#ifndef BUG
            slot[head].producer = 0;
            slot[head].number = 0;
            head = (head + 1) % S;
#endif
            item.producer = 0;
            item.number = 0;
            used--
        }
    od
}

ltl flow { []<> (used < S) }
