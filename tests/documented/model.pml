/* What `model.pml` stands for in examples of the documentation. */
#ifndef N
#define N 2
#endif

chan requests = [N] of { byte };
bool ready;

active proctype client()
{
	byte i;
	do
	:: i < N -> requests!i; i++
	:: else -> break
	od;
	ready = true
}

active proctype server()
{
	byte request;
end:	do
	:: requests?request -> assert(request < N - 1)
	od
}
