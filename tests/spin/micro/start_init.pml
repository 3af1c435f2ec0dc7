/* init is process 0 and counts like any other. */
init { skip }
