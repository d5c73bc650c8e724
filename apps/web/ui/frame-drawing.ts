import { flushSync } from 'react-dom';
import { busy } from '../state/idle.ts';

const waiting = new Set<() => void>();
let request = 0;
let done = () => {};
/** The frame that was rendered last. */
let drawn = Number.NaN;

/**
 * Runs the update in the next animation frame, batched with all other pending updates and with scrolling. Rendering at
 * once would cost a layout that the next frame repeats. Returns a function that cancels it.
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

/** For events that belong to the current frame, such as scroll: renders at once, together with all pending updates. */
export function drawFrame(update: () => void): void {
  const updates = [update, ...waiting];
  const isDone = done;
  waiting.clear();
  drawn = currentFrame();
  // Render synchronously, in this frame's layout. Otherwise the next scroll event would wait for another frame.
  flushSync(() => {
    for (const one of updates) one();
  });
  isDone();
}

function drawWaiting(): void {
  request = 0;
  if (waiting.size === 0) return;
  // Updates that were scheduled while this frame rendered wait for the next one.
  if (drawn === currentFrame()) request = requestAnimationFrame(drawWaiting);
  else drawFrame(() => {});
}

const currentFrame = () => Number(document.timeline.currentTime);
