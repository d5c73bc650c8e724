import type { ErrorScreenData } from '@kontor/protocol';
import { bootstrap } from '../data/bootstrap.ts';
import { ClientError } from '../data/client-error.ts';
import { t } from '../i18n/messages.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/parts.tsx';
import { useCrumbs } from './crumbs.ts';
import { currentPlace } from './router.ts';

/** What happened, the request id to quote, and a way on. */
export function ErrorScreen({ error, retry }: { readonly error: ClientError; readonly retry?: () => void }) {
  const isMissing = error.status === 404;
  const isOffline = error.code === 'network';
  return (
    <EmptyState
      icon={isOffline ? 'wifi-off' : isMissing ? 'search' : error.code === 'ACCESS_DENIED' ? 'lock' : 'triangle-alert'}
      title={titleOf(error)}
      isWhole
      next={
        <>
          {retry && !isMissing && (
            <Button kind="primary" icon="rotate-ccw" onClick={retry}>
              {t('Try again')}
            </Button>
          )}
          <WayBack />
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

function titleOf(error: ClientError): string {
  if (error.status === 404) return t('There is nothing here');
  if (error.code === 'network') return t('You are offline');
  return error.code === 'ACCESS_DENIED' ? t('This is not open to you') : t('Something went wrong');
}

/** To where one came from, if one came from anywhere. */
function WayBack() {
  return history.length > 1 ? (
    <Button icon="arrow-left" onClick={() => history.back()}>
      {t('Back')}
    </Button>
  ) : null;
}

/** What came of the address that the page was loaded from, if no screen did. */
export function pageFailure(): ClientError | null {
  const { screen } = bootstrap();
  if (screen?.name !== 'error' || currentPlace().visit > 1) return null;
  const { code, message, ...rest } = screen.data as ErrorScreenData;
  return new ClientError(code, message, rest);
}

export function FailedPage({ error }: { readonly error: ClientError }) {
  useCrumbs([{ label: titleOf(error) }]);
  return <ErrorScreen error={error} retry={() => location.reload()} />;
}

export function MissingScreen() {
  useCrumbs([{ label: t('There is nothing here') }]);
  return (
    <EmptyState
      icon="search"
      title={t('There is nothing here')}
      isWhole
      next={
        <>
          <WayBack />
          <a className="btn btn-primary" href="/web/home">
            {t('Home')}
          </a>
        </>
      }
    >
      <p>{t('The address does not lead to a screen. It may have been moved or mistyped.')}</p>
    </EmptyState>
  );
}
