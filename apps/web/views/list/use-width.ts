import { type RefObject, useLayoutEffect, useState } from 'react';

/** Lists come and go in the same room. Drawing with the width of the last one spares a layout of rows that are drawn again anyway. */
let lastWidth = 0;

/** The room inside an element, followed as it changes. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(lastWidth);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      lastWidth = element.clientWidth;
      setWidth(lastWidth);
    };
    if (lastWidth === 0) measure();
    // Tells of the size at once, after the layout that the frame needs in any case.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}
