import { type RefObject, useId, useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { safeHref } from '../link/safe-href.ts';

interface LinkPopoverProps {
  readonly anchor: RefObject<HTMLElement | null>;
  /** Where the chosen text leads now; empty when it is no link yet. */
  readonly address: string;
  readonly onLink: (href: string) => void;
  readonly onUnlink: () => void;
  readonly onClose: () => void;
}

/** Asks where a link leads: to a page, a mail or a phone, never to a script. */
export function LinkPopover({ anchor, address, onLink, onUnlink, onClose }: LinkPopoverProps) {
  const [text, setText] = useState(address);
  const [isBad, setBad] = useState(false);
  const id = useId();
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const href = safeHref(text);
    if (href) onLink(href);
    else setBad(true);
  };
  return (
    <Popover anchor={anchor} onClose={onClose} className="html-link">
      <form onSubmit={submit} onKeyDown={(event) => event.stopPropagation()}>
        <label htmlFor={id}>{t('Address of the link')}</label>
        <input
          id={id}
          className="input"
          type="text"
          inputMode="url"
          placeholder="https://"
          autoFocus
          value={text}
          aria-invalid={isBad || undefined}
          aria-describedby={isBad ? `${id}-problem` : undefined}
          onChange={(event) => {
            setText(event.target.value);
            setBad(false);
          }}
        />
        {isBad && (
          <p id={`${id}-problem`} className="field-problem" role="alert">
            {t('A link leads to a page (https), a mail (mailto) or a phone (tel).')}
          </p>
        )}
        <div className="html-link-buttons">
          {address !== '' && (
            <Button kind="bare" onClick={onUnlink}>
              {t('Remove the link')}
            </Button>
          )}
          <Button kind="primary" type="submit">
            {t('Link')}
          </Button>
        </div>
      </form>
    </Popover>
  );
}
