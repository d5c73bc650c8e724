declare global {
  interface Window {
    /** True while nothing is loading, saving or about to be drawn. Tests wait for it instead of sleeping. */
    __KONTOR_IDLE__?: boolean;
  }
}

let pending = 0;
let onWire = 0;
let isAsking = false;
let round = 0;

/** Says that work is under way until the returned function is called. */
export function busy(): () => void {
  pending++;
  window.__KONTOR_IDLE__ = false;
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    pending--;
    settle();
  };
}

/** The person has to answer before work can go on: what waits for them is not something that the client is busy with. */
export function askPerson(isOn: boolean): void {
  isAsking = isOn;
  settle();
}

/** As `whileBusy`, for what is under way to the server: nobody else is waited for. */
export async function whileOnWire<T>(work: Promise<T>): Promise<T> {
  onWire++;
  const done = busy();
  try {
    return await work;
  } finally {
    onWire--;
    done();
  }
}

/** Waits for a promise in the open: the client is not idle meanwhile. */
export async function whileBusy<T>(work: Promise<T>): Promise<T> {
  const done = busy();
  try {
    return await work;
  } finally {
    done();
  }
}

/** A timer that counts as work, for debounced typing. Returns its cancel. */
export function busyTimer(run: () => void, delay: number): () => void {
  const done = busy();
  const timer = setTimeout(() => {
    run();
    done();
  }, delay);
  return () => {
    clearTimeout(timer);
    done();
  };
}

/** Runs what can wait once the first screen is drawn. */
export function whenQuiet(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 2_000 });
  else setTimeout(run, 200);
}

/** Any input may start work in the next frames, so the client is idle only after two of them with nothing pending. */
export function watchIdle(): void {
  for (const type of ['pointerdown', 'pointerup', 'click', 'keydown', 'input', 'popstate', 'drop']) {
    window.addEventListener(type, settle, { capture: true });
  }
  settle();
}

function settle(): void {
  window.__KONTOR_IDLE__ = false;
  const mine = ++round;
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (mine === round && (pending === 0 || (isAsking && onWire === 0))) window.__KONTOR_IDLE__ = true;
      }, 0),
    ),
  );
}
