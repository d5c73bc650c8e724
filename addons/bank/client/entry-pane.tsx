import {
  Badge,
  Button,
  formatDate,
  formatMoney,
  Icon,
  IconButton,
  isCovered,
  isTyping,
  t,
  usePhone,
} from '@kontor/client';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Entry, loadInvoices, type Suggestion } from './matching-data.ts';
import { type Choice, PickPanel } from './pick-panel.tsx';
import type { Matching } from './use-matching.ts';

interface PaneProps {
  readonly matching: Matching;
  readonly entry: Entry;
  readonly onBack: () => void;
}

/** An entry, the invoices that it may pay, and what one does to it. */
// Over 60 lines: buttons, keys and panels open each other.
export function EntryPane({ matching, entry, onBack }: PaneProps) {
  const [open, setOpen] = useState<'search' | 'aside' | null>(null);
  const anchors = { search: useRef(null), aside: useRef(null) };
  const isPhone = usePhone();
  const isOpen = entry.state === 'open';
  useKeys({
    arrowdown: () => matching.step(1),
    arrowup: () => matching.step(-1),
    j: () => matching.step(1),
    k: () => matching.step(-1),
    z: matching.undo,
    ...(isOpen
      ? {
          ...{ enter: () => void matching.confirm(), '/': () => setOpen('search'), x: () => setOpen('aside') },
          ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((digit) => [String(digit), () => matching.pick(digit - 1)])),
        }
      : { r: () => void matching.reopen() }),
  });
  const pick = (name: 'search' | 'aside') => ({
    ref: anchors[name] as RefObject<HTMLButtonElement | null>,
    onClick: () => setOpen(name),
  });
  return (
    <section className="column shrink least-0 canvas" aria-label={entry.party ?? t('Bank entry')}>
      <div className="row wrap lined rigid pad-2-3">
        {isPhone && <IconButton icon="arrow-left" label={t('Back to the list')} onClick={onBack} />}
        {isOpen ? (
          <>
            <Button
              kind="primary"
              icon="check"
              aria-keyshortcuts="Enter"
              disabled={!matching.picked}
              onClick={() => void matching.confirm()}
            >
              {t('Confirm')}
            </Button>
            <Button icon="search" aria-keyshortcuts="/" {...pick('search')}>
              {t('Another invoice')}
            </Button>
            <Button icon="archive" aria-keyshortcuts="X" {...pick('aside')}>
              {t('No customer payment')}
            </Button>
          </>
        ) : (
          <Button icon="rotate-ccw" aria-keyshortcuts="R" onClick={() => void matching.reopen()}>
            {t('Reopen')}
          </Button>
        )}
        <span className="row push gap-half wide-only">
          <IconButton icon="arrow-up" label={t('Previous entry')} onClick={() => matching.step(-1)} />
          <IconButton icon="arrow-down" label={t('Next entry')} onClick={() => matching.step(1)} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <div className="fill scroll-y stack one-column gap-4 pad-4 at-start packed bank-facts" tabIndex={0}>
        <EntryFacts entry={entry} />
        {isOpen ? <Suggestions matching={matching} entry={entry} /> : <Outcome entry={entry} />}
      </div>
      {open === 'search' && (
        <PickPanel
          anchor={anchors.search}
          label={t('Number, customer or amount')}
          choicesFor={(text) => invoicesFor(entry, text, matching)}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'aside' && (
        <PickPanel
          anchor={anchors.aside}
          label={t('It is')}
          choicesFor={async (text) => reasonsFor(entry, text, matching)}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

function EntryFacts({ entry }: { readonly entry: Entry }) {
  const { amount, currency, date, party, text, iban, reference, is_fee: isFee, is_return: isReturn } = entry;
  return (
    <header className="stack gap-1h">
      <p className="row wrap gap-2">
        <h2 className="large strong break">
          <bdi>{party ?? t('Without a name')}</bdi>
        </h2>
        <b className="large digits push">{formatMoney(amount, currency)}</b>
      </p>
      {text && (
        <p className="break">
          <bdi>{text}</bdi>
        </p>
      )}
      <p className="row wrap gap-3 small mut">
        <span>{formatDate(date)}</span>
        {iban && <span className="mono">{iban}</span>}
        {reference && <span className="mono">{reference}</span>}
        {entry.sent_amount && (
          <span>{t('Sent: {amount}', { amount: formatMoney(entry.sent_amount, entry.sent_currency) })}</span>
        )}
        {isFee && <Badge>{t('Bank fee')}</Badge>}
        {isReturn && <Badge look="bad">{t('Returned payment')}</Badge>}
      </p>
      {isReturn && (
        <p className="small warned pad-2-3 round-m">
          {t('The bank took a payment back. Reopen the entry of that payment, and set this one aside.')}
        </p>
      )}
    </header>
  );
}

function Suggestions({ matching, entry }: { readonly matching: Matching; readonly entry: Entry }) {
  const { suggestions, picked } = matching;
  if (suggestions.length === 0) {
    return <p className="mut">{t('No open invoice fits. Look for one with /, or set the entry aside with X.')}</p>;
  }
  return (
    <ul className="stack one-column gap-2" aria-label={t('Suggestions')}>
      {suggestions.map((suggestion, index) => (
        <li key={`${entry.id} ${suggestion.partnerId} ${suggestion.invoices.map(({ id }) => id).join(' ')}`}>
          <button
            type="button"
            className="start full stack one-column gap-1h framed round-m pad-3 hovers focus-in surface pointer bank-suggestion"
            aria-pressed={suggestion === picked}
            onClick={() => matching.pick(index)}
          >
            <SuggestionFacts suggestion={suggestion} digit={index + 1} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function SuggestionFacts({ suggestion, digit }: { readonly suggestion: Suggestion; readonly digit: number }) {
  const { level, invoices, partnerName, reasons } = suggestion;
  const levels = {
    certain: <Badge look="ok">{t('Certain')}</Badge>,
    likely: <Badge look="info">{t('Likely')}</Badge>,
    possible: <Badge>{t('Possible')}</Badge>,
    chosen: <Badge look="info">{t('Chosen')}</Badge>,
  };
  return (
    <>
      <span className="row gap-2">
        <b className="cut strong">
          <bdi>{partnerName}</bdi>
        </b>
        {levels[level]}
        <kbd className="push">{digit}</kbd>
      </span>
      {invoices.map(({ id, name, type, due, dueDate, currency }) => (
        <span key={id} className="row gap-2">
          <Icon name="file-text" size={14} />
          <span>{name}</span>
          {dueDate && <span className="small dim">{t('due {date}', { date: formatDate(dueDate) })}</span>}
          <span className="digits push">{formatMoney(type === 'credit' ? `-${due}` : due, currency)}</span>
        </span>
      ))}
      {invoices.length === 0 && <span className="mut">{t('Credit of the customer')}</span>}
      <span className="small mut">{reasons.join(' ')}</span>
    </>
  );
}

function Outcome({ entry }: { readonly entry: Entry }) {
  if (entry.state === 'aside') {
    const reasons = Object.fromEntries(asideReasons());
    return (
      <p>
        {reasons[entry.reason ?? ''] ?? entry.reason}
        {entry.note && <span className="mut"> · {entry.note}</span>}
      </p>
    );
  }
  return (
    <p>
      <b>{entry['partner_id.name']}</b>
      <span className="mut"> · {entry.paid.length > 0 ? entry.paid.join(', ') : t('Credit of the customer')}</span>
    </p>
  );
}

function asideReasons(): readonly (readonly [string, string])[] {
  return [
    ['fee', t('Bank fee or interest')],
    ['own', t('Between own accounts')],
    ['expense', t('Expense or supplier')],
    ['wages', t('Wages or tax')],
    ['private', t('Private')],
    ['returned', t('Returned payment')],
    ['booked', t('Registered by hand already')],
    ['other', t('Something else')],
  ];
}

/** The likely one first: Enter takes it. */
function reasonsFor(entry: Entry, text: string, matching: Matching): readonly Choice[] {
  const first = entry.is_fee ? 'fee' : entry.is_return ? 'returned' : '';
  const reasons = [...asideReasons()].sort(([a], [b]) => Number(b === first) - Number(a === first));
  return reasons
    .filter(([, label]) => label.toLowerCase().includes(text.toLowerCase()))
    .map(([key, label]) => ({ key, label, run: () => void matching.aside(key) }));
}

async function invoicesFor(entry: Entry, text: string, matching: Matching): Promise<readonly Choice[]> {
  const found = await loadInvoices(entry.id, text);
  return found.map((invoice) => ({
    key: String(invoice.id),
    label: `${invoice.name} ${invoice.partnerName}`,
    hint: formatMoney(invoice.due, invoice.currency),
    run: () => matching.choose(invoice),
  }));
}

function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      if (isTyping(event) || isCovered()) return;
      // A focused button or link does what Enter means there.
      const isOnControl = event.target instanceof Element && event.target.closest('button, a, [role=menu]') !== null;
      if (event.key === 'Enter' && isOnControl && !(event.target as Element).closest('.bank-row, .bank-suggestion'))
        return;
      const key = event.key.toLowerCase();
      const run = Object.hasOwn(latest.current, key) ? latest.current[key] : undefined;
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}
