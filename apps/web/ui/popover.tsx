import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import './popover.css';

interface PopoverProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
  /** As wide as the anchor at least, for suggestions under a field. */
  readonly isAnchorWide?: boolean;
  readonly className?: string;
  /** `manual` leaves closing to the caller: a field keeps its suggestions while the focus is in it. */
  readonly mode?: 'auto' | 'manual';
}

const gap = 4;

/** Floats beside its anchor in the top layer; the platform closes it on Escape and on a click elsewhere. Mount to open. */
export function Popover(props: PopoverProps) {
  const { anchor, onClose, children, align = 'start', isAnchorWide = false, className, mode = 'auto' } = props;
  const ref = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const box = ref.current as HTMLDivElement;
    const place = () => anchor.current && placeBeside(box, anchor.current, align, isAnchorWide);
    const toggled = (event: Event) => (event as ToggleEvent).newState === 'closed' && close.current();
    box.showPopover();
    place();
    const observer = new ResizeObserver(place);
    observer.observe(box);
    box.addEventListener('toggle', toggled);
    window.addEventListener('resize', place);
    window.addEventListener('scroll', place, true);
    return () => {
      observer.disconnect();
      box.removeEventListener('toggle', toggled);
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', place, true);
      if (box.matches(':popover-open')) box.hidePopover();
    };
  }, [anchor, align, isAnchorWide]);
  return (
    <div ref={ref} popover={mode} className={`scroll framed round-m raised ink float popover ${className ?? ''}`}>
      {children}
    </div>
  );
}

function placeBeside(box: HTMLElement, anchor: HTMLElement, align: 'start' | 'end', isAnchorWide: boolean): void {
  const rect = anchor.getBoundingClientRect();
  if (isAnchorWide) box.style.minWidth = `${rect.width}px`;
  const { offsetWidth: width, offsetHeight: height } = box;
  const isRtl = document.documentElement.dir === 'rtl';
  const wanted = (align === 'start') === !isRtl ? rect.left : rect.right - width;
  // Not `innerWidth`: on a phone that grows with whatever sticks out, this box included.
  const left = Math.max(8, Math.min(wanted, document.documentElement.clientWidth - width - 8));
  const below = rect.bottom + gap;
  const hasRoom = below + height <= window.innerHeight - 8 || rect.top < window.innerHeight - rect.bottom;
  box.style.left = `${left}px`;
  box.style.top = `${hasRoom ? below : Math.max(8, rect.top - gap - height)}px`;
  box.style.maxHeight = `${hasRoom ? window.innerHeight - below - 8 : rect.top - gap - 8}px`;
}
