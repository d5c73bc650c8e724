const mouseThreshold = 5;
const touchPatience = 10;
const touchHold = 280;

interface TileDrag {
  /** It hovers over another place in the list. */
  hover(to: number): void;
  drop(): void;
  cancel(): void;
}

/** From the press on a tile to its release. A finger must rest first, so that it can still scroll. */
export function startTileDrag(list: HTMLElement, tile: HTMLElement, press: PointerEvent, drag: TileDrag): void {
  const isTouch = press.pointerType !== 'mouse';
  const controller = new AbortController();
  const { signal } = controller;
  let isLifted = false;
  let last = -1;
  const lift = () => {
    isLifted = true;
    document.documentElement.classList.add('is-moving-tile');
    drag.hover(placeOf(list, tile, press.clientX, press.clientY));
  };
  const hold = isTouch ? setTimeout(lift, touchHold) : undefined;
  const end = () => {
    clearTimeout(hold);
    controller.abort();
    document.documentElement.classList.remove('is-moving-tile');
  };
  const follow = (event: PointerEvent) => {
    if (event.pointerId !== press.pointerId) return;
    const distance = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY);
    if (!isLifted && isTouch && distance > touchPatience) return end();
    if (!isLifted && !isTouch && distance > mouseThreshold) lift();
    if (!isLifted) return;
    const to = placeOf(list, tile, event.clientX, event.clientY);
    if (to === last) return;
    last = to;
    drag.hover(to);
  };
  const finish = (isDrop: boolean) => () => {
    end();
    if (!isLifted) return;
    swallowClick();
    if (isDrop) drag.drop();
    else drag.cancel();
  };
  window.addEventListener('pointermove', follow, { signal });
  window.addEventListener('pointerup', finish(true), { signal });
  window.addEventListener('pointercancel', finish(false), { signal });
  window.addEventListener('touchmove', (event) => isLifted && event.cancelable && event.preventDefault(), {
    signal,
    passive: false,
  });
  window.addEventListener('contextmenu', (event) => isLifted && event.preventDefault(), { signal });
  window.addEventListener('keydown', (event) => event.key === 'Escape' && isLifted && finish(false)(), {
    signal,
    capture: true,
  });
}

/** The index of the tile under the point, or of the nearest one. */
function placeOf(list: HTMLElement, tile: HTMLElement, x: number, y: number): number {
  const tiles = [...list.children];
  let nearest = tiles.indexOf(tile);
  let least = Number.POSITIVE_INFINITY;
  for (const [index, other] of tiles.entries()) {
    const { left, right, top, bottom } = other.getBoundingClientRect();
    const distance = Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2);
    if (distance >= least) continue;
    least = distance;
    nearest = index;
  }
  return nearest;
}

/** The release that drops a tile is not a click on it. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
}
