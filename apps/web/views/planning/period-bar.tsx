import { t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import './period-bar.css';

interface PeriodBarProps {
  readonly title: string;
  readonly onToday: () => void;
  /** -1: the period before, 1: the next. */
  readonly onStep: (by: 1 | -1) => void;
}

/** Today, before and after, and what is looked at. */
export function PeriodBar({ title, onToday, onStep }: PeriodBarProps) {
  return (
    <div className="period">
      <Button className="period-today" aria-keyshortcuts="T" onClick={onToday}>
        {t('Today')}
      </Button>
      <div className="period-steps">
        <IconButton icon="chevron-left" label={t('Previous period')} onClick={() => onStep(-1)} />
        <IconButton icon="chevron-right" label={t('Next period')} onClick={() => onStep(1)} />
      </div>
      <h2 className="period-title" aria-live="polite">
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

export function ScaleSwitch<T extends string>({ scales, value, onChange }: ScaleSwitchProps<T>) {
  return (
    <div className="seg period-scales" role="group" aria-label={t('Scale')}>
      {scales.map((scale) => (
        <button
          key={scale.value}
          type="button"
          aria-pressed={scale.value === value}
          aria-keyshortcuts={scale.keys}
          onClick={() => onChange(scale.value)}
        >
          {scale.label}
        </button>
      ))}
    </div>
  );
}
