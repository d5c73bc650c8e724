import type { ErrorScreenData } from '@kontor/protocol';
import { ClientError } from '../data/client-error.ts';
import { t } from '../i18n/messages.ts';
import { useCrumbs } from '../navigation/crumbs.ts';
import { currentPlace } from '../navigation/router.ts';
import { bootstrap } from '../state/bootstrap.ts';
import { ErrorScreen, errorTitle, WayBack } from '../ui/error-screen.tsx';
import { EmptyState } from '../ui/parts.tsx';

/** What came of the address that the page was loaded from, if no screen did. */
export function pageFailure(): ClientError | null {
  const { screen } = bootstrap();
  if (screen?.name !== 'error' || currentPlace().visit > 1) return null;
  const { code, message, ...rest } = screen.data as ErrorScreenData;
  return new ClientError(code, message, rest);
}

export function FailedPage({ error }: { readonly error: ClientError }) {
  useCrumbs([{ label: errorTitle(error) }]);
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
