import { flushSync } from 'react-dom';
import { busy } from '../state/idle.ts';

const waiting = new Set<() => void>();
let request = 0;
let done = () => {};
/** The frame that was drawn last. */
let drawn = Number.NaN;

/**
 * Updates in the next frame, all of them in one drawing, together with what is scrolled in it. Drawn when it comes, it would be laid out and
 * thrown away by the frame that draws it again. Returns what takes it back.
 */
export function drawInFrame(update: () => void): () => void {
  if (waiting.size === 0) done = busy();
  waiting.add(update);
  if (request === 0) request = requestAnimationFrame(drawWaiting);
  return () => {
    waiting.delete(update);
    if (waiting.size === 0) done();
  };
}

/** For what the frame itself brings, such as a scroll: draws it at once, with all that waits for this frame. */
export function drawFrame(update: () => void): void {
  const updates = [update, ...waiting];
  const isDone = done;
  waiting.clear();
  drawn = currentFrame();
  // At once, in this frame's own layout: drawn after it, the next scroll would have to wait for another one.
  flushSync(() => {
    for (const one of updates) one();
  });
  isDone();
}

function drawWaiting(): void {
  request = 0;
  if (waiting.size === 0) return;
  // What was put off by the drawing of this very frame would find no room left in it.
  if (drawn === currentFrame()) request = requestAnimationFrame(drawWaiting);
  else drawFrame(() => {});
}

const currentFrame = () => Number(document.timeline.currentTime);
