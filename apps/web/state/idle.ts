declare global {
  interface Window {
    /** True while nothing is loading, saving or about to be drawn. Tests wait for it instead of sleeping. */
    __KONTOR_IDLE__?: boolean;
  }
}

let pending = 0;
let sending = 0;
let isWaitingForPerson = false;
let round = 0;

let showFirst = () => {};
/** Resolves once the first screen is on the glass. What it does not need is fetched and drawn after it. */
export const firstScreen = new Promise<void>((resolve) => {
  showFirst = resolve;
});

/**
 * Called with the first screen in the page. A frame is still drawn by others when the page is done with it: with the next one
 * it is there. A tab in the background paints nothing.
 */
export function watchFirstPaint(): void {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(showFirst)));
  setTimeout(showFirst, 1_000);
}

/** Counts as busy until the returned function is called. */
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

/** While the user must answer first, waiting requests do not count as busy. */
export function waitForPerson(isOn: boolean): void {
  isWaitingForPerson = isOn;
  settle();
}

/** As `whileBusy`, for a request that counts as busy also while the user must answer. */
export async function whileSending<T>(work: Promise<T>): Promise<T> {
  sending++;
  const done = busy();
  try {
    return await work;
  } finally {
    sending--;
    done();
  }
}

/** Counts as busy until the promise is settled. */
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

/** Runs what can wait, once the first screen is drawn and nothing else is to do. Returns its cancel. */
export function whenIdle(run: () => void, limitMs = 2_000): () => void {
  let isCancelled = false;
  const unlessCancelled = () => {
    if (!isCancelled) run();
  };
  void firstScreen.then(() => {
    if ('requestIdleCallback' in window) requestIdleCallback(unlessCancelled, { timeout: limitMs });
    else setTimeout(unlessCancelled, 200);
  });
  return () => {
    isCancelled = true;
  };
}

/**
 * Any input may start work in the next frames, so the client is idle only after two of them with nothing pending, and when the
 * browser has nothing to run: what a slow machine has yet to draw may start more.
 */
export function watchIdle(): void {
  for (const type of ['pointerdown', 'pointerup', 'click', 'keydown', 'input', 'popstate', 'drop']) {
    window.addEventListener(type, settle, { capture: true });
  }
  settle();
}

function settle(): void {
  window.__KONTOR_IDLE__ = false;
  const mine = ++round;
  // Whoever is the last to be done comes back here.
  if (pending > 0 && !isWaitingForPerson) return;
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      whenIdle(() => {
        if (mine === round && (pending === 0 || (isWaitingForPerson && sending === 0))) window.__KONTOR_IDLE__ = true;
      }),
    ),
  );
}
