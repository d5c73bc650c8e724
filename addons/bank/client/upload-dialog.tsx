import { Button, Dialog, showError, showToast, t, tn } from '@kontor/client';
import { useState } from 'react';
import { MappingForm } from './mapping-form.tsx';
import { type Account, type Mapping, sendFile, type Upload, type UploadAnswer } from './matching-data.ts';

interface UploadDialogProps {
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
  readonly onTaken: () => void;
  readonly onReload: () => void;
}

/** Sends a bank file. What the server has to know first, it asks; the file is then sent again with the answer. */
// Over 60 lines: the questions of the server and their answers share the file.
export function UploadDialog({ accounts, onClose, onTaken, onReload }: UploadDialogProps) {
  const [upload, setUpload] = useState<Upload | null>(null);
  const [answer, setAnswer] = useState<UploadAnswer | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (next: Upload) => {
    setUpload(next);
    setSending(true);
    try {
      const given = await sendFile(next);
      setAnswer(given);
      if (!('taken' in given)) return;
      const { entries, known, pending } = given.taken;
      const already = known > 0 ? ` ${tn('{n} was there already.', '{n} were there already.', known)}` : '';
      const later = pending > 0 ? ` ${tn('{n} is not booked yet.', '{n} are not booked yet.', pending)}` : '';
      showToast({
        kind: 'success',
        title: tn('{n} new entry.', '{n} new entries.', entries) + already + later,
      });
      onTaken();
      onReload();
      if (given.warnings.length === 0) onClose();
    } catch (error) {
      showError(error);
      setUpload(null);
      setAnswer(null);
    } finally {
      setSending(false);
    }
  };
  const needs = answer && 'needs' in answer ? answer : null;
  const again = (change: Partial<Upload>) => upload && void send({ ...upload, ...change });
  return (
    <Dialog
      title={t('Upload a bank file')}
      onClose={onClose}
      width={needs?.needs === 'mapping' ? 760 : 480}
      footer={
        <>
          <Button onClick={onClose}>{answer && 'taken' in answer ? t('Close') : t('Cancel')}</Button>
          {needs?.needs === 'account' && (
            <Button kind="primary" disabled={isSending} onClick={() => again({ createsAccount: true })}>
              {t('Add the account')}
            </Button>
          )}
          {needs?.needs === 'mapping' && upload && (
            <Button
              kind="primary"
              disabled={isSending || !isReadable(upload.mapping ?? needs.mapping)}
              onClick={() => again({ account: needs.accountId, mapping: upload.mapping ?? needs.mapping })}
            >
              {t('Take in')}
            </Button>
          )}
        </>
      }
    >
      {!answer && (
        <FilePick
          isSending={isSending}
          onPick={(file) => void send({ file, account: null, mapping: null, createsAccount: false })}
        />
      )}
      {needs?.needs === 'account' && (
        <p>{t('The file is from the account {account}, which is not set up yet.', { account: needs.account })}</p>
      )}
      {needs?.needs === 'choice' && <AccountChoice accounts={accounts} onPick={(account) => again({ account })} />}
      {needs?.needs === 'mapping' && upload && (
        <MappingForm
          headers={needs.headers}
          preview={needs.preview}
          mapping={upload.mapping ?? needs.mapping}
          onChange={(mapping) => setUpload({ ...upload, mapping })}
        />
      )}
      {answer && 'taken' in answer && (
        <ul className="stack gap-2">
          {answer.warnings.map((warning) => (
            <li key={warning} className="warned pad-2-3 round-m">
              {warning}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function isReadable({ columns }: Mapping): boolean {
  const roles = Object.values(columns);
  const once = (role: string) => roles.filter((each) => each === role).length === 1;
  return once('date') && (once('amount') || once('debit') || once('credit'));
}

function FilePick({ isSending, onPick }: { readonly isSending: boolean; readonly onPick: (file: File) => void }) {
  return (
    <label className="stack gap-2">
      <span>{t('CAMT.053, CAMT.052 or CAMT.054, or a CSV file with column names.')}</span>
      <input
        type="file"
        accept=".xml,.csv,.txt,text/csv,text/xml,application/xml"
        aria-label={t('Bank file')}
        disabled={isSending}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onPick(file);
        }}
      />
      {isSending && <span className="mut">{t('Reading the file …')}</span>}
    </label>
  );
}

function AccountChoice({
  accounts,
  onPick,
}: {
  readonly accounts: readonly Account[];
  readonly onPick: (id: number) => void;
}) {
  if (accounts.length === 0) {
    return <p>{t('The file does not name its account. Set one up under Configuration, Bank accounts, first.')}</p>;
  }
  return (
    <div className="stack gap-2">
      <p>{t('Of which account is the file?')}</p>
      {accounts.map(({ id, name, iban }) => (
        <Button key={id} onClick={() => onPick(id)}>
          {name} · {iban}
        </Button>
      ))}
    </div>
  );
}
