import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { type ClientError, toClientError } from '../data/client-error.ts';
import { request } from '../data/request.ts';
import { t } from '../i18n/messages.ts';
import { useCrumbs } from '../navigation/crumbs.ts';
import { recallPlace, rememberPlace } from '../navigation/place-memory.ts';
import { currentPlace } from '../navigation/router.ts';
import { bootstrap } from '../state/bootstrap.ts';
import { ErrorScreen } from '../ui/error-screen.tsx';
import type { screenAt } from './registry.ts';

type KnownScreen = NonNullable<ReturnType<typeof screenAt>>;

/** Renders a screen with its data: from the bootstrap object, from memory, or from the same URL as JSON. */
export function ScreenHost({ screen }: { readonly screen: KnownScreen }) {
  const { definition, Component } = screen;
  const key = `screen ${definition.path}`;
  const [data, setData] = useState(() => bootstrapData(definition.path) ?? recallPlace<unknown>(key, undefined));
  const [error, setError] = useState<ClientError | null>(null);
  const { parent } = definition;
  useCrumbs([...(parent ? [{ label: t(parent.title), href: parent.path }] : []), { label: t(definition.title) }]);
  useScrollMemory(definition.path, data !== undefined);
  const load = useCallback(() => {
    request<{ result: unknown }>(`${definition.path}${location.search}`).then(
      ({ body }) => {
        if (!definition.isAlwaysAsked) rememberPlace(key, body.result ?? null);
        setData(body.result ?? null);
      },
      (failure) => setError(toClientError(failure)),
    );
  }, [definition, key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; what was remembered is shown at once and looked up again.
  useEffect(() => {
    if (data === undefined || bootstrapData(definition.path) === undefined) load();
  }, []);
  if (error && data === undefined) return <ErrorScreen error={error} retry={() => location.reload()} />;
  if (data === undefined) return <div className="share" aria-busy="true" />;
  return <Component data={data} reload={load} />;
}

/** A screen starts at the top; back and forward restore its scroll position. */
function useScrollMemory(path: string, isDrawn: boolean): void {
  const key = `scroll ${path}`;
  useLayoutEffect(() => {
    const main = document.getElementById('main');
    if (!main || !isDrawn) return;
    main.scrollTop = currentPlace().isBack ? recallPlace(key, 0) : 0;
    const keep = () => rememberPlace(key, main.scrollTop);
    main.addEventListener('scroll', keep, { passive: true });
    return () => main.removeEventListener('scroll', keep);
  }, [key, isDrawn]);
}

/** The page contains data for its first screen, not for a later visit. */
function bootstrapData(path: string): unknown {
  const { screen } = bootstrap();
  return currentPlace().visit === 1 && screen && path.endsWith(`/${screen.name}`) ? screen.data : undefined;
}
