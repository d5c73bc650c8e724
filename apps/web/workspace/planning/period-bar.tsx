import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import './period-bar.css';

interface PeriodBarProps {
  readonly title: string;
  readonly onToday: () => void;
  /** -1: the previous period, 1: the next. */
  readonly onStep: (by: 1 | -1) => void;
}

/** Buttons for today, the previous and the next period, and the title of the current one. */
export function PeriodBar({ title, onToday, onStep }: PeriodBarProps) {
  return (
    <div className="row rigid period">
      <Button className="wide-only period-today" aria-keyshortcuts="T" onClick={onToday}>
        {t('Today')}
      </Button>
      <div className="round shade inline-line period-steps">
        <IconButton icon="chevron-left" label={t('Previous period')} onClick={() => onStep(-1)} />
        <IconButton icon="chevron-right" label={t('Next period')} onClick={() => onStep(1)} />
      </div>
      <h2 className="large strong digits nowrap pad-x-1 tight period-title" aria-live="polite">
        {title}
      </h2>
    </div>
  );
}

interface ScaleSwitchProps<T extends string> {
  readonly scales: readonly { readonly value: T; readonly label: string; readonly keys: string }[];
  readonly value: T;
  readonly onChange: (scale: T) => void;
}

/** A button for each scale, or one menu if that saves a line of the bar. */
export function ScaleSwitch<T extends string>({ scales, value, onChange }: ScaleSwitchProps<T>) {
  const group = useRef<HTMLDivElement>(null);
  const isTight = useTight(group);
  const shown = scales.find((scale) => scale.value === value);
  return (
    <div ref={group} className={isTight ? 'period-scales' : 'seg period-scales'} role="group" aria-label={t('Scale')}>
      {isTight ? (
        <Menu
          label={t('Scale')}
          align="end"
          entries={scales.map((scale) => ({
            key: scale.value,
            label: scale.label,
            hint: scale.keys,
            isChecked: scale === shown,
            run: () => onChange(scale.value),
          }))}
          trigger={(props) => (
            <Button className="small" {...props}>
              {shown?.label}
              <Icon name="chevron-down" size={14} />
            </Button>
          )}
        />
      ) : (
        scales.map((scale) => (
          <button
            className="small medium nowrap"
            key={scale.value}
            type="button"
            aria-pressed={scale === shown}
            aria-keyshortcuts={scale.keys}
            onClick={() => onChange(scale.value)}
          >
            {scale.label}
          </button>
        ))
      )}
    </div>
  );
}

/**
 * `buttons`; `menu`, if buttons would wrap; `second-line`, if the bar wraps anyway; `full`, a menu because that line is
 * full.
 */
type Fit = 'buttons' | 'menu' | 'second-line' | 'full';

/** Whether the scales are a menu. Decided before paint, and again when the width of the bar changes. */
function useTight(ref: RefObject<HTMLElement | null>): boolean {
  const [fit, setFit] = useState<Fit>('buttons');
  const drawn = useRef(fit);
  useLayoutEffect(() => {
    drawn.current = fit;
    const bar = ref.current?.closest<HTMLElement>('.bar');
    if (bar) setFit(nextFit(fit, bar));
  });
  useEffect(() => {
    const bar = ref.current?.closest<HTMLElement>('.bar');
    if (!bar) return;
    let width = bar.offsetWidth;
    const watch = new ResizeObserver(() => {
      // Buttons can only be measured while they are rendered, so they are rendered first.
      if (bar.offsetWidth !== width) setFit(drawn.current === 'buttons' ? nextFit('buttons', bar) : 'buttons');
      width = bar.offsetWidth;
    });
    watch.observe(bar);
    return () => watch.disconnect();
  }, [ref]);
  return fit === 'menu' || fit === 'full';
}

function nextFit(fit: Fit, bar: HTMLElement): Fit {
  if (fit === 'buttons') return isWrapped(bar) ? 'menu' : fit;
  if (fit === 'menu') return isWrapped(bar) ? 'second-line' : fit;
  return fit === 'second-line' && bar.scrollWidth > bar.clientWidth ? 'full' : fit;
}

function isWrapped(bar: HTMLElement): boolean {
  const [first, last] = [bar.querySelector('.period'), bar.lastElementChild];
  return first !== null && last !== null && last.getBoundingClientRect().top > first.getBoundingClientRect().bottom;
}
