import { useEffect, useRef, useState } from 'react';
import { Button, formatDateTime, IconButton, Popover, parseDateTime, t } from '../../../door/index.ts';

interface SendLaterProps {
  readonly label: string;
  readonly isDisabled?: boolean;
  onChoose(at: string): void;
}

/** A time in words, as date fields take them. */
export function SendLater({ label, isDisabled = false, onChoose }: SendLaterProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const choose = (at: string) => {
    setOpen(false);
    onChoose(at);
  };
  return (
    <>
      <IconButton ref={anchor} icon="clock" label={label} disabled={isDisabled} onClick={() => setOpen(true)} />
      {isOpen && (
        <Popover anchor={anchor} align="end" onClose={() => setOpen(false)} className="wide-280">
          <TimeForm label={label} onChoose={choose} />
        </Popover>
      )}
    </>
  );
}

function TimeForm({ label, onChoose }: Pick<SendLaterProps, 'label' | 'onChoose'>) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const at = parseDateTime(typed) ?? null;
  const isLate = at !== null && Date.parse(at) <= Date.now();
  useEffect(() => input.current?.focus(), []);
  const choose = () => {
    if (at !== null && !isLate) onChoose(at);
  };
  return (
    <div className="stack pad-2">
      <input
        ref={input}
        className="input"
        aria-label={t('When')}
        placeholder={t('Such as tomorrow 9:00')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          choose();
        }}
      />
      <p className="small mut" role="status">
        {at === null ? t('Enter a date and time.') : isLate ? t('Choose a time in the future.') : formatDateTime(at)}
      </p>
      <Button kind="primary" disabled={at === null || isLate} onClick={choose}>
        {label}
      </Button>
    </div>
  );
}
