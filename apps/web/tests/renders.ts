import type { TestPage } from './test-page.ts';

interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly alternate: Fiber | null;
  readonly stateNode: unknown;
}

interface Watched {
  /** Null while nobody counts: it would keep elements that are gone. */
  renders: Set<Element> | null;
  /** How often each element was drawn by itself, by the frame. */
  frames: Map<unknown, Map<Element, number>> | null;
}

/** From the next page on, counts what React draws, as its own developer tools do. */
export async function watchRenders({ page }: TestPage): Promise<void> {
  await page.addInitScript(installHook);
}

/**
 * What the elements say that fit and whose component was drawn while `act` ran, after the number of their row. A component is known by the element
 * that it begins with.
 */
export async function rendersOf(
  { page }: TestPage,
  selector: string,
  act: () => Promise<void>,
): Promise<readonly string[]> {
  await page.evaluate(() => {
    (globalThis as unknown as Watched).renders = new Set();
  });
  await act();
  return page.evaluate((fits) => {
    const watched = globalThis as unknown as Watched;
    const drawn = [...(watched.renders ?? [])].filter((element) => element.isConnected && element.matches(fits));
    watched.renders = null;
    return drawn.map((element) => {
      const row = element.closest('[data-row], [data-index]') as HTMLElement | null;
      const place = row ? `${row.dataset.row ?? row.dataset.index} ` : '';
      return `${place}${element.getAttribute('aria-label') ?? element.textContent ?? ''}`.trim();
    });
  }, selector);
}

/** How often the element that fits was drawn for one frame, at most, while `act` ran, and in how many frames. */
export async function drawingsOf(
  { page }: TestPage,
  selector: string,
  act: () => Promise<void>,
): Promise<{ readonly most: number; readonly frames: number }> {
  await page.evaluate(() => {
    (globalThis as unknown as Watched).frames = new Map();
  });
  await act();
  return page.evaluate((fits) => {
    const watched = globalThis as unknown as Watched;
    const counts = [...(watched.frames?.values() ?? [])].flatMap((drawn) =>
      [...drawn].flatMap(([element, count]) => (element.matches(fits) ? count : [])),
    );
    watched.frames = null;
    return { most: Math.max(0, ...counts), frames: counts.length };
  }, selector);
}

function installHook(): void {
  const watched = globalThis as unknown as Watched;
  const [functionTag, hostTag, forwardTag, memoTag, simpleMemoTag, performedWork] = [0, 5, 11, 14, 15, 1];
  const isComponent = ({ tag }: Fiber) => [functionTag, forwardTag, memoTag, simpleMemoTag].includes(tag);
  // An element belongs to the innermost component: one that only arranges others draws nothing itself.
  const firstElement = (fiber: Fiber | null): Element | null => {
    if (fiber === null || isComponent(fiber)) return null;
    return fiber.tag === hostTag ? (fiber.stateNode as Element) : firstElement(fiber.child);
  };
  const note = (element: Element): void => {
    watched.renders?.add(element);
    const frame = document.timeline.currentTime;
    const drawn = watched.frames?.get(frame) ?? new Map<Element, number>();
    watched.frames?.set(frame, drawn.set(element, (drawn.get(element) ?? 0) + 1));
  };
  const visit = (fiber: Fiber): void => {
    if (isComponent(fiber) && (fiber.flags & performedWork) !== 0) {
      const element = firstElement(fiber.child);
      if (element) note(element);
    }
    // What was left alone keeps its children.
    if (fiber.alternate?.child === fiber.child) return;
    for (let child = fiber.child; child; child = child.sibling) visit(child);
  };
  const nothing = () => {};
  Object.assign(globalThis, {
    renders: null,
    frames: null,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      isDisabled: false,
      supportsFiber: true,
      renderers: new Map(),
      inject: () => 1,
      checkDCE: nothing,
      onCommitFiberUnmount: nothing,
      onPostCommitFiberRoot: nothing,
      onCommitFiberRoot: (_: number, root: { readonly current: Fiber }) =>
        (watched.renders ?? watched.frames) && visit(root.current),
    },
  });
}
