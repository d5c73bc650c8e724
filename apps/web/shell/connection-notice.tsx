import { connection } from '../data/connection.ts';
import { t } from '../i18n/messages.ts';
import { useStore } from '../state/store.ts';
import { Icon } from '../ui/icon.tsx';

export function ConnectionNotice() {
  const isLost = useStore(connection) === 'lost';
  return (
    <div role="status" className={isLost ? 'notice' : 'sr-only'}>
      {isLost && (
        <>
          <Icon name="wifi-off" />
          {t('No connection. What you type is kept; it will be saved when the server is back.')}
        </>
      )}
    </div>
  );
}
