import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as client from '../door/index.ts';

declare global {
  interface Window {
    /** The modules in the page's import map read the shared packages from here. */
    __KONTOR_SHARED__?: Readonly<Record<string, unknown>>;
  }
}

export function share(): void {
  window.__KONTOR_SHARED__ ??= { react, 'react/jsx-runtime': jsxRuntime, '@kontor/client': client };
}
