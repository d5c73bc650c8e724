import { t } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import type { FieldReadProps } from '../define-field.ts';

export function BooleanRead({ value }: FieldReadProps) {
  if (value !== true) return <span className="sr-only">{t('No')}</span>;
  return (
    <>
      <Icon name="check" />
      <span className="sr-only">{t('Yes')}</span>
    </>
  );
}
