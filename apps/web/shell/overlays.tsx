import { useEffect } from 'react';
import { CommandHost } from '../commands/command-host.tsx';
import { signInNeed } from '../data/session.ts';
import { isTyping } from '../navigation/keys.ts';
import { navigate } from '../navigation/router.ts';
import { whenIdle } from '../state/idle.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { useStore } from '../state/store.ts';
import { exportTarget } from '../workspace/export/open-export.ts';
import { overlay, takeTypedAhead, typeAhead } from './overlay.ts';

const { Component: Palette, preload: preloadPalette } = lazyComponent(
  async () => (await import('./palette.tsx')).Palette,
);
const { Component: ExportDialog } = lazyComponent(
  async () => (await import('../workspace/export/dialog.tsx')).ExportDialog,
);
const { Component: KeyHelpDialog } = lazyComponent(async () => (await import('./key-help.tsx')).KeyHelpDialog);
const { Component: MyChangesDialog } = lazyComponent(async () => (await import('./my-changes.tsx')).MyChangesDialog);
// Preloaded: once the session has ended, the server may have another build.
const { Component: SignInDialog, preload: preloadSignIn } = lazyComponent(
  async () => (await import('./sign-in-dialog.tsx')).SignInDialog,
);

export function Overlays() {
  useEffect(() => {
    whenIdle(preloadSignIn);
    whenIdle(preloadPalette);
  }, []);
  const open = useStore(overlay);
  const need = useStore(signInNeed);
  const exported = useStore(exportTarget);
  useShellKeys();
  useTypeAhead(open === 'palette');
  const close = () => overlay.set(null);
  return (
    <>
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'keys' && <KeyHelpDialog onClose={close} />}
      {open === 'changes' && <MyChangesDialog onClose={close} />}
      <CommandHost />
      {exported && <ExportDialog target={exported} onClose={() => exportTarget.set(null)} />}
      {need && <SignInDialog />}
    </>
  );
}

/** Keys that work on every screen. Single letters are ignored while typing in a field. */
function useShellKeys(): void {
  useEffect(() => {
    let isAfterG = false;
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return overlay.set((now) => (now === 'palette' ? null : 'palette'));
      }
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && !isTyping(event) && !isDialogOpen()) {
        event.preventDefault();
        return void import('./undo-change.ts').then(({ undoLast }) => undoLast(event.shiftKey));
      }
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || isDialogOpen()) return;
      if (event.key === '?') overlay.set('keys');
      const place = isAfterG ? { h: '/web/home', s: '/web/settings', p: '/web/profile' }[event.key] : undefined;
      if (place) void navigate(place);
      isAfterG = event.key === 'g';
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}

/** Keys typed while the palette loads go to the palette. */
function useTypeAhead(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || isDialogOpen()) return;
      event.preventDefault();
      event.stopPropagation();
      typeAhead(event.key);
    };
    window.addEventListener('keydown', pressed, { capture: true });
    return () => {
      window.removeEventListener('keydown', pressed, { capture: true });
      takeTypedAhead();
    };
  }, [isOpen]);
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
