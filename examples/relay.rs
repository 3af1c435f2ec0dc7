//! A relay race: the referee starts two teams, each runner hands the baton to
//! the next, the last one reports to the referee.

const RUNNERS: usize = 3;

/// Is there a winner, and who is it?
static mut over: bool = false;
static mut winner: int!(0..=1) = any!();

#[task]
fn referee() {
    call!(runner[0][0].baton);
    call!(runner[1][0].baton);
    for round in 0..2 {
        select! {
            accept!(finish(team in 0..2) => {
                if !over {
                    over = true;
                    winner = team;
                    event!(win[team]);
                } else {
                    event!(lose[team]);
                }
            }) => { event!(leave_track[team]); }
        }
    }
}

#[task(team in 0..2, i in 0..RUNNERS)]
fn runner(team: usize, i: usize) {
    accept!(baton);
    event!(run[team][i]);
    event!(stop[team][i]);
    if i == RUNNERS - 1 {
        call!(referee.finish(team));
    } else {
        call!(runner[team][i + 1].baton);
    }
}
