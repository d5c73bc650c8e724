declare global {
  interface Window {
    /** True while nothing is loading, saving or about to render. Tests wait for it instead of sleeping. */
    __KONTOR_IDLE__?: boolean;
  }
}

let pending = 0;
let sending = 0;
let isWaitingForPerson = false;
let round = 0;

let showFirst = () => {};
/** Resolves once the first screen is painted. Everything else is loaded and rendered after it. */
export const firstScreen = new Promise<void>((resolve) => {
  showFirst = resolve;
});

/**
 * Called when the first screen is in the DOM. Compositing finishes after the page's own frame, so it waits for the next
 * one. A background tab paints nothing.
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

/** Like `whileBusy`, for a request that counts as busy even while the user must answer. */
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

/** A timer that counts as busy, for debounced input. Returns a function that cancels it. */
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

/**
 * Runs deferrable work once the first screen is painted and the browser is idle. Returns a function that cancels it.
 */
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
 * Any input may start work in the next frames, so the client is idle only after two frames with nothing pending and an
 * idle callback: rendering on a slow machine may start more work.
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
  // The last task to finish calls this again.
  if (pending > 0 && !isWaitingForPerson) return;
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      whenIdle(() => {
        if (mine === round && (pending === 0 || (isWaitingForPerson && sending === 0))) window.__KONTOR_IDLE__ = true;
      }),
    ),
  );
}
