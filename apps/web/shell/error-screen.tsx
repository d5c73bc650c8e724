import type { ClientError } from '../data/client-error.ts';
import { t } from '../i18n/messages.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/parts.tsx';

/** What happened, the request id to quote, and a way on. */
export function ErrorScreen({ error, retry }: { readonly error: ClientError; readonly retry?: () => void }) {
  const isMissing = error.status === 404;
  const isOffline = error.code === 'network';
  const title = isMissing
    ? t('There is nothing here')
    : isOffline
      ? t('You are offline')
      : error.code === 'ACCESS_DENIED'
        ? t('This is not open to you')
        : t('Something went wrong');
  return (
    <EmptyState
      icon={isOffline ? 'wifi-off' : isMissing ? 'search' : error.code === 'ACCESS_DENIED' ? 'lock' : 'triangle-alert'}
      title={title}
      isWhole
      next={
        <>
          {retry && !isMissing && (
            <Button kind="primary" icon="rotate-ccw" onClick={retry}>
              {t('Try again')}
            </Button>
          )}
          <a className="btn" href="/web/home">
            {t('Home')}
          </a>
        </>
      }
    >
      <p role="alert">{error.message}</p>
      {error.requestId && (
        <p className="dim">
          {t('Request')} <code>{error.requestId}</code>
        </p>
      )}
    </EmptyState>
  );
}

export function MissingScreen() {
  return (
    <EmptyState
      icon="search"
      title={t('There is nothing here')}
      isWhole
      next={
        <a className="btn btn-primary" href="/web/home">
          {t('Home')}
        </a>
      }
    >
      <p>{t('The address does not lead to a screen. It may have been moved or mistyped.')}</p>
    </EmptyState>
  );
}
