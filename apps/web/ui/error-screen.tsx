import { useEffect } from 'react';
import type { ClientError } from '../data/client-error.ts';
import { connection } from '../data/connection.ts';
import { t } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import { EmptyState } from './parts.tsx';

/** Shows the error, the request id to quote, and a way to continue. */
export function ErrorScreen({ error, retry }: { readonly error: ClientError; readonly retry?: () => void }) {
  const isMissing = error.status === 404;
  const isOffline = error.code === 'network';
  useEffect(() => {
    if (isOffline && retry) return connection.subscribe(() => connection.get() === 'live' && retry());
  }, [isOffline, retry]);
  return (
    <EmptyState
      icon={isOffline ? 'wifi-off' : isMissing ? 'search' : error.code === 'ACCESS_DENIED' ? 'lock' : 'triangle-alert'}
      title={errorTitle(error)}
      isWhole
      next={
        <>
          {retry && !isMissing && (
            <Button kind="primary" icon="rotate-ccw" onClick={retry}>
              {t('Try again')}
            </Button>
          )}
          <BackLink />
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

export function errorTitle(error: ClientError): string {
  if (error.status === 404) return t('There is nothing here');
  if (error.code === 'network') return t('You are offline');
  return error.code === 'ACCESS_DENIED' ? t('You do not have access') : t('Something went wrong');
}

/** A link back to the previous page, if there is one. */
export function BackLink() {
  return history.length > 1 ? (
    <Button icon="arrow-left" onClick={() => history.back()}>
      {t('Back')}
    </Button>
  ) : null;
}
