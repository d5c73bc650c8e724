/** A receiver whose frames may wait. */
export interface Waiting {
  /** In order of arrival. */
  readonly frames: Buffer[];
  /** All waiting frames, as one buffer. */
  send(bytes: Buffer): void;
}

/** Serves all members in turn, while something waits for one of them. */
export interface WriteLine {
  join(one: Waiting): void;
  add(one: Waiting, frames: Buffer): void;
  /** Writes the waiting frames of one member, out of turn. */
  serve(one: Waiting): void;
  leave(one: Waiting): void;
}

interface LineTimes {
  /** How many are served before other work of the process gets its turn. */
  readonly atOnce: number;
  /** From the start of one round to that of the next: everything in between is one write per receiver. */
  readonly roundMs: number;
}

const lineTimes: LineTimes = { atOnce: 128, roundMs: 28 };

/**
 * Writing to a socket costs some microseconds, and to thousands of them tens of milliseconds, in which no call would be answered
 * and no event read. So a few are served at a time. Frames that arrive during a round are sent to receivers whose turn is still to
 * come, together with what they wait for.
 */
export function createWriteLine({ atOnce, roundMs }: LineTimes = lineTimes): WriteLine {
  const members = new Set<Waiting>();
  const join = createJoin();
  let waiting = 0;
  let isGoing = false;
  let roundAt = Number.NEGATIVE_INFINITY;

  function serve(one: Waiting): void {
    const { frames } = one;
    if (frames.length === 0) return;
    waiting--;
    const bytes = frames.length === 1 ? (frames[0] as Buffer) : join(frames);
    frames.length = 0;
    one.send(bytes);
  }

  function beginRound(): void {
    roundAt = performance.now();
    goOn([...members], 0);
  }

  function goOn(round: readonly Waiting[], from: number): void {
    let at = from;
    for (let left = atOnce; left > 0 && at < round.length; at++) {
      const one = round[at] as Waiting;
      if (one.frames.length === 0) continue;
      serve(one);
      left--;
    }
    if (at < round.length) setImmediate(goOn, round, at);
    else if (waiting > 0) beginLater();
    else isGoing = false;
  }

  function beginLater(): void {
    isGoing = true;
    const restMs = roundAt + roundMs - performance.now();
    if (restMs > 0) setTimeout(beginRound, restMs);
    else setImmediate(beginRound);
  }

  return {
    join: (one) => void members.add(one),
    add(one, frames) {
      if (one.frames.push(frames) === 1) waiting++;
      if (!isGoing) beginLater();
    },
    serve,
    leave(one) {
      members.delete(one);
      if (one.frames.length > 0) waiting--;
      one.frames.length = 0;
    },
  };
}

/** Joins buffers; those that arrived together for many receivers are joined once. */
function createJoin(): (frames: readonly Buffer[]) => Buffer {
  let known: readonly Buffer[] = [];
  let joined = Buffer.alloc(0);
  return (frames) => {
    const isKnown = known.length === frames.length && frames.every((each, at) => each === known[at]);
    if (isKnown) return joined;
    known = [...frames];
    joined = Buffer.concat(known);
    return joined;
  };
}
