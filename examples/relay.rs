//! A relay race: the referee starts the teams, each runner hands the baton to
//! the next, the last one reports to the referee.

const TEAMS: usize = 2;
const RUNNERS: usize = 3;

/// Is there a winner, and who is it?
static mut over: bool = false;
static mut winner: int!(0..=TEAMS - 1) = any!();

#[task]
fn referee() {
    for team in 0..TEAMS {
        call!(runner[team][0].baton);
    }
    for round in 0..TEAMS {
        select! {
            accept!(finish(team in 0..TEAMS) => {
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

#[task(team in 0..TEAMS, i in 0..RUNNERS)]
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
