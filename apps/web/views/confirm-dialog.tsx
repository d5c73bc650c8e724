import type { ButtonNode } from '@kontor/protocol';
import { t } from '../i18n/messages.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface ConfirmDialogProps {
  readonly button: ButtonNode;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** What a button of a view asks before it acts. */
export function ConfirmDialog({ button, onYes, onNo }: ConfirmDialogProps) {
  const { label, danger, confirm } = button;
  return (
    <Dialog
      title={label}
      onClose={onNo}
      width={420}
      footer={
        <>
          <Button onClick={onNo}>{t('Back')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} onClick={onYes}>
            {label}
          </Button>
        </>
      }
    >
      <p>{confirm}</p>
    </Dialog>
  );
}
