import { useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { postAndReload } from '../../data/request.ts';
import { mark, t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Labelled } from '../../ui/labelled.tsx';
import type { CommandProps } from '../command.ts';
import '../new-api-key/styles.css';

/** Hours for which the old secret stays valid. */
const overlaps = [
  ['0', mark('Revoke now')],
  ['1', mark('For an hour')],
  ['24', mark('For a day')],
  ['168', mark('For a week')],
  ['720', mark('For 30 days')],
] as const;

/** Creates a new secret for a key; the next page shows it, once. */
export function RotateApiKeyDialog({ target, onClose }: CommandProps) {
  const [hours, setHours] = useState('24');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const rotate = () => {
    setBusy(true);
    setProblem('');
    const fields = { id: String(target.id), overlap_hours: hours };
    postAndReload('/web/action/rotate_api_key', fields).catch((error: unknown) => {
      setBusy(false);
      setProblem(t('The secret was not changed. {message}', { message: toClientError(error).message }));
    });
  };
  return (
    <Dialog
      title={t('New secret for {name}', { name: target.name })}
      onClose={onClose}
      width={460}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" disabled={isBusy} onClick={rotate}>
            {t('Create secret')}
          </Button>
        </>
      }
    >
      <div className="stack gap-4 boxed">
        <p>{t('The key keeps its owner, its rights and its expiry date.')}</p>
        <Labelled label={t('Keep the old secret valid')}>
          {(props) => (
            <select {...props} className="input" value={hours} onChange={(event) => setHours(event.target.value)}>
              {overlaps.map(([value, label]) => (
                <option key={value} value={value}>
                  {t(label)}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        {problem !== '' && (
          <p className="field-problem" role="alert">
            {problem}
          </p>
        )}
        <p className="mut">
          {t('The key shows when the old secret was last used. A secret from an earlier rotation stops working now.')}
        </p>
      </div>
    </Dialog>
  );
}
