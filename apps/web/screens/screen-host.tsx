import { useCallback, useEffect, useState } from 'react';
import { bootstrap } from '../data/bootstrap.ts';
import { type ClientError, toClientError } from '../data/client-error.ts';
import { request } from '../data/request.ts';
import { t } from '../i18n/messages.ts';
import { useCrumbs } from '../shell/crumbs.ts';
import { ErrorScreen } from '../shell/error-screen.tsx';
import { currentPlace } from '../shell/router.ts';
import type { screenAt } from './registry.ts';

type KnownScreen = NonNullable<ReturnType<typeof screenAt>>;

/** Draws a screen with its data: those the page carried, else what the same address answers as JSON. */
export function ScreenHost({ screen }: { readonly screen: KnownScreen }) {
  const { definition, Component } = screen;
  const [data, setData] = useState(() => carried(definition.name));
  const [error, setError] = useState<ClientError | null>(null);
  const { parent } = definition;
  useCrumbs([...(parent ? [{ label: t(parent.title), href: parent.path }] : []), { label: t(definition.title) }]);
  const load = useCallback(() => {
    request<{ result: unknown }>(`${definition.path}${location.search}`).then(
      ({ body }) => setData(body.result ?? null),
      (failure) => setError(toClientError(failure)),
    );
  }, [definition]);
  useEffect(() => {
    if (data === undefined) load();
  }, [data, load]);
  if (error) return <ErrorScreen error={error} />;
  if (data === undefined) return <div className="main-wait" aria-busy="true" />;
  return <Component data={data} reload={load} />;
}

/** The page carries data for the screen it was loaded with, not for a later visit. */
function carried(name: string): unknown {
  const { screen } = bootstrap();
  return currentPlace().visit === 1 && screen?.name === name ? screen.data : undefined;
}
