import { useEffect } from 'react';
import { CommandHost } from '../commands/command-host.tsx';
import { whenQuiet } from '../data/idle.ts';
import { lazyComponent } from '../data/lazy.tsx';
import { signInNeed } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { ExportHost } from '../views/export/export-host.tsx';
import { isTyping } from './keys.ts';
import { overlay } from './overlay.ts';
import { navigate } from './router.ts';

const { Component: Palette } = lazyComponent(async () => (await import('./palette.tsx')).Palette);
const { Component: KeyHelpDialog } = lazyComponent(async () => (await import('./key-help.tsx')).KeyHelpDialog);
// Fetched ahead: when it is needed, the server it comes from may be another one.
const { Component: SignInDialog, preload: preloadSignIn } = lazyComponent(
  async () => (await import('./sign-in-dialog.tsx')).SignInDialog,
);

export function Overlays() {
  useEffect(() => whenQuiet(preloadSignIn), []);
  const open = useStore(overlay);
  const need = useStore(signInNeed);
  useShellKeys();
  const close = () => overlay.set(null);
  return (
    <>
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'keys' && <KeyHelpDialog onClose={close} />}
      <CommandHost />
      <ExportHost />
      {need && <SignInDialog />}
    </>
  );
}

/** Keys that work on every screen. Single letters are left to fields that someone types in. */
function useShellKeys(): void {
  useEffect(() => {
    let isAfterG = false;
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return overlay.set((now) => (now === 'palette' ? null : 'palette'));
      }
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]'))
        return;
      if (event.key === '?') overlay.set('keys');
      const place = isAfterG ? { h: '/web/home', s: '/web/settings', p: '/web/profile' }[event.key] : undefined;
      if (place) void navigate(place);
      isAfterG = event.key === 'g';
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}
