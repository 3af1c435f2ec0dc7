/*
 * A snooping cache protocol with the four states of Papamarcos and Patel
 * (1984): modified, exclusive, shared, invalid.
 *
 * N processors with one line each share a bus. A miss, or a write to a shared
 * line, takes the bus and posts a request; every other cache answers it in a
 * step of its own, and the line is filled when all have answered.
 *
 *   N     processors
 *   V     values a processor may write
 *   BUG   a write to a shared line does not ask the others
 *
 * Checked: a miss reads the value written last and there is one owner
 * (assertions), no deadlock;
 * ltl owned: the line is modified again and again (fails: reads may go on).
 */
#ifndef N
#define N 3
#endif
#ifndef V
#define V 2
#endif

#define INVALID   0
#define SHARED    1
#define EXCLUSIVE 2
#define MODIFIED  3

mtype = { none, read, own };

byte line[N];           /* state of the line in each cache */
byte value[N];
byte memory;
byte newest;            /* the value written last: what a read must return */

mtype request = none;   /* on the bus */
bool waiting[N];        /* has still to answer the request */
byte answers;           /* still to come */
bool seen;              /* somebody holds the line */
byte owners;

/* Posts a request on the free bus; part of an atomic step. */
inline post(what) {
    request = what;
    seen = false;
    answers = N - 1;
    do
    :: i < N -> waiting[i] = (i != _pid); i++
    :: else -> i = 0; break
    od
}

inline put(datum) {
    line[_pid] = MODIFIED;
    value[_pid] = datum;
    newest = datum;
    assert(owners == 1)
}

active [N] proctype Processor()
{
    byte i;
    byte v;

end:
    do
    :: waiting[_pid] ->                                 /* snoop */
snoop:  atomic {
            waiting[_pid] = false;
            if
            :: line[_pid] != INVALID ->
                seen = true;
                if
                :: line[_pid] == MODIFIED -> memory = value[_pid]; owners--
                :: else
                fi;
                if
                :: request == read -> line[_pid] = SHARED
                :: request == own -> line[_pid] = INVALID; value[_pid] = 0
                fi
            :: else
            fi;
            answers--
        }
    :: line[_pid] != INVALID ->                         /* read hit */
        v = value[_pid];
        v = 0
    :: atomic { line[_pid] == INVALID && request == none -> post(read) };  /* read miss */
        answers == 0;
        atomic {
            line[_pid] = (seen -> SHARED : EXCLUSIVE);
            value[_pid] = memory;
            assert(value[_pid] == newest);
            request = none
        }
    :: !waiting[_pid] ->                                /* write */
        do
        :: v < V - 1 -> v++
        :: break
        od;
        if
        :: waiting[_pid] -> v = 0; goto snoop
        :: atomic {
               line[_pid] >= EXCLUSIVE ->
               owners = owners + (line[_pid] == EXCLUSIVE);
               put(v)
           }
#ifdef BUG
        :: atomic { line[_pid] == SHARED -> owners++; put(v) }
#endif
        :: atomic { line[_pid] < EXCLUSIVE && request == none -> post(own) };
           answers == 0;
           atomic { owners++; put(v); request = none }
        fi;
        v = 0
    :: atomic {                                         /* evict */
           line[_pid] != INVALID ->
           memory = (line[_pid] == MODIFIED -> value[_pid] : memory);
           owners = owners - (line[_pid] == MODIFIED);
           line[_pid] = INVALID;
           value[_pid] = 0
       }
    od
}

ltl owned { []<> (owners == 1) }
