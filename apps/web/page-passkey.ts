import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser';

/** The script of the sign-in pages: shows the button where the browser has passkeys, and signs in with one. */
const button = document.querySelector<HTMLButtonElement>('#passkey');
const problem = document.querySelector<HTMLElement>('#passkey-problem');

async function post(path: string, fields: object): Promise<Record<string, unknown>> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(fields),
  });
  const { result, error } = (await answer.json()) as {
    result: Record<string, unknown> | null;
    error: { message: string } | null;
  };
  if (!result) throw new Error(error?.message ?? answer.statusText);
  return result;
}

async function signIn(next: string): Promise<void> {
  const { token, options } = await post('/web/login/passkey/options', {});
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const response = await startAuthentication({ optionsJSON });
  const done = await post('/web/login/passkey', { token, response, next });
  location.assign(String(done.next));
}

if (button && problem && browserSupportsWebAuthn()) {
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener('click', () => {
    button.disabled = true;
    button.textContent = button.dataset.busy ?? words;
    problem.hidden = true;
    signIn(button.dataset.next ?? '').catch((error: unknown) => {
      button.disabled = false;
      button.textContent = words;
      // The user dismissed the browser's prompt.
      if (error instanceof Error && error.name === 'NotAllowedError') return;
      problem.textContent = error instanceof Error ? error.message : String(error);
      problem.hidden = false;
    });
  });
}
