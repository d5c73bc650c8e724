import {
  Badge,
  Button,
  defineView,
  EmptyState,
  formatDate,
  formatMoney,
  Icon,
  Menu,
  mark,
  Skeleton,
  t,
  tn,
  usePhone,
} from '@kontor/client';
import { useEffect, useRef, useState } from 'react';
import { EntryPane } from './entry-pane.tsx';
import type { Entry, State, WorkPage } from './matching-data.ts';
import { UploadDialog } from './upload-dialog.tsx';
import { type Matching, useMatching } from './use-matching.ts';
import './matching.css';

/** Bank entries in a list, and beside it the one that is worked on; on a phone one of both. */
export const matchingView = defineView({
  type: 'bank_matching',
  View: MatchingView,
  keys: [
    { keys: ['↑', '↓'], does: mark('Previous and next entry') },
    { keys: ['Enter'], does: mark('Confirm the suggestion') },
    { keys: ['1', '2', '3'], does: mark('Choose a suggestion') },
    { keys: ['/'], does: mark('Look for another invoice') },
    { keys: ['X'], does: mark('No customer payment') },
    { keys: ['R'], does: mark('Reopen the entry') },
    { keys: ['Z'], does: mark('Undo') },
  ],
});

function MatchingView() {
  const matching = useMatching();
  const isPhone = usePhone();
  const [isUploading, setUploading] = useState(false);
  const [isShown, setShown] = useState(false);
  const { current, page } = matching;
  const open = () => setUploading(true);
  return (
    <div className="panes bank fill">
      <h1 className="sr-only">{t('Bank')}</h1>
      {!(isPhone && isShown && current) && (
        <ListPane matching={matching} onUpload={open} onOpen={() => setShown(true)} />
      )}
      {current && !(isPhone && !isShown) && (
        <EntryPane key={current.id} matching={matching} entry={current} onBack={() => setShown(false)} />
      )}
      {!current && !isPhone && (
        <div className="shrink least-0 canvas">
          {page?.entries.length === 0 && <Nothing matching={matching} onUpload={open} />}
        </div>
      )}
      {isUploading && (
        <UploadDialog
          accounts={page?.accounts ?? []}
          onClose={() => setUploading(false)}
          onTaken={() => matching.ask({ state: 'open' })}
          onReload={matching.reload}
        />
      )}
    </div>
  );
}

interface ListPaneProps {
  readonly matching: Matching;
  readonly onUpload: () => void;
  readonly onOpen: () => void;
}

function ListPane({ matching, onUpload, onOpen }: ListPaneProps) {
  const { page, current, question } = matching;
  const isPhone = usePhone();
  const certain = page?.entries.filter((each) => each.suggestions[0]?.level === 'certain').length ?? 0;
  const list = useRef<HTMLOListElement>(null);
  const currentId = current?.id;
  useEffect(() => {
    if (currentId !== undefined) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
  return (
    <section className="column least-0 ruled-end" aria-label={t('Bank entries')}>
      <div className="row wrap lined pad-2-3 rigid">
        <Button kind="primary" icon="upload" onClick={onUpload}>
          {t('Upload a bank file')}
        </Button>
        {page && page.accounts.length > 1 && <AccountPick matching={matching} page={page} />}
        {question.state === 'open' && certain > 0 && (
          <Button icon="circle-check" onClick={() => void matching.confirmCertain()}>
            {tn('Confirm {n} certain match', 'Confirm {n} certain matches', certain)}
          </Button>
        )}
      </div>
      <States matching={matching} page={page} />
      {page === null && (
        <div className="pad-4">
          <Skeleton width="70%" />
        </div>
      )}
      {isPhone && page?.entries.length === 0 && <Nothing matching={matching} onUpload={onUpload} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <ol ref={list} className="fill scroll-y" tabIndex={0} aria-label={t('Bank entries')}>
        {page?.entries.map((entry) => (
          <li key={entry.id}>
            <EntryRow
              entry={entry}
              isCurrent={entry.id === current?.id}
              onOpen={() => {
                matching.show(entry.id);
                onOpen();
              }}
            />
          </li>
        ))}
        {page?.more && (
          <li className="pad-3">
            <Button onClick={() => matching.ask({ limit: question.limit + 100 })}>{t('Show more')}</Button>
          </li>
        )}
      </ol>
    </section>
  );
}

function EntryRow(props: { readonly entry: Entry; readonly isCurrent: boolean; onOpen(): void }) {
  const { entry, isCurrent, onOpen } = props;
  const { date, amount, currency, party, text, suggestions } = entry;
  const [best] = suggestions;
  return (
    <button
      type="button"
      className="start full stack one-column gap-1 lined hovers focus-in pad-2-4 pointer pane-row bank-row"
      aria-current={isCurrent ? 'true' : undefined}
      onClick={onOpen}
    >
      <span className="row gap-1h">
        <b className="cut strong">
          <bdi>{party ?? text ?? t('Without a name')}</bdi>
        </b>
        <b className={`digits nowrap push ${amount.startsWith('-') ? 'mut' : ''}`}>{formatMoney(amount, currency)}</b>
      </span>
      <span className="cut mut small">
        <bdi>{text}</bdi>
      </span>
      <span className="row gap-1h small">
        <time className="dim nowrap" dateTime={date}>
          {formatDate(date)}
        </time>
        {best && (
          <span className="row gap-1 cut push">
            {best.level === 'certain' && (
              <>
                <Icon name="circle-check" size={14} />
                <span className="sr-only">{t('Certain')}</span>
              </>
            )}
            <span className="cut">{best.invoices.map(({ name }) => name).join(', ') || best.partnerName}</span>
          </span>
        )}
        {entry.state === 'matched' && <span className="cut push">{entry['partner_id.name']}</span>}
        {entry.is_fee && entry.state === 'open' && <Badge>{t('Bank fee')}</Badge>}
      </span>
    </button>
  );
}

function States({ matching, page }: { readonly matching: Matching; readonly page: WorkPage | null }) {
  const states: readonly (readonly [State, string])[] = [
    ['open', t('Open')],
    ['matched', t('Matched')],
    ['aside', t('Set aside')],
  ];
  return (
    <nav className="line rigid lined scroll gap-3 pad-x-3" aria-label={t('States')}>
      {states.map(([state, label]) => (
        <button
          key={state}
          type="button"
          className="mut nowrap target tab-line"
          aria-current={matching.question.state === state ? 'page' : undefined}
          onClick={() => matching.ask({ state })}
        >
          {label} <span className="digits dim">{page?.counts[state] || ''}</span>
        </button>
      ))}
    </nav>
  );
}

function AccountPick({ matching, page }: { readonly matching: Matching; readonly page: WorkPage }) {
  const { account } = matching.question;
  const entries = [
    { key: 'all', label: t('All accounts'), isChecked: account === null, run: () => matching.ask({ account: null }) },
    ...page.accounts.map(({ id, name }) => ({
      ...{ key: String(id), label: name, isChecked: account === id },
      run: () => matching.ask({ account: id }),
    })),
  ];
  const shown = entries.find(({ isChecked }) => isChecked) ?? entries[0];
  return (
    <Menu
      label={t('Bank account')}
      entries={entries}
      trigger={(props) => (
        <button
          type="button"
          className="btn"
          aria-label={t('Bank account: {name}', { name: shown?.label ?? '' })}
          {...props}
        >
          <span className="cut">{shown?.label}</span>
          <Icon name="chevron-down" size={14} />
        </button>
      )}
    />
  );
}

function Nothing({ matching, onUpload }: { readonly matching: Matching; readonly onUpload: () => void }) {
  const { state } = matching.question;
  if (state !== 'open') return <EmptyState icon="inbox" title={t('Nothing here')} />;
  const isNew = Object.values(matching.page?.counts ?? {}).every((count) => !count);
  return (
    <EmptyState
      icon={isNew ? 'upload' : 'circle-check'}
      title={isNew ? t('No bank file yet') : t('Every entry is matched')}
      next={
        <Button kind="primary" onClick={onUpload}>
          {t('Upload a bank file')}
        </Button>
      }
    >
      <p>{t('Download a CAMT or CSV file from your bank. Payments find their invoices.')}</p>
    </EmptyState>
  );
}
