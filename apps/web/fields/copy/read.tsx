import { announce } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import type { FieldReadProps } from '../define-field.ts';
import { plainText } from '../plain/read.tsx';

export function CopyRead(props: FieldReadProps) {
  const text = plainText(props);
  if (text === '') return null;
  return (
    <span className="field-person">
      <span>{text}</span>
      <IconButton
        icon="copy"
        size={14}
        label={t('Copy')}
        onClick={(event) => {
          event.stopPropagation();
          navigator.clipboard.writeText(text).then(
            () => announce(t('Copied')),
            () => {},
          );
        }}
      />
    </span>
  );
}
