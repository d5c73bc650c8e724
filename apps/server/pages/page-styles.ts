/** Tokens of the client's look, and the few shapes that pages without scripts need. */
export const pageStyles = `
:root { color-scheme: light; --font: "Inter Variable", Inter, "Segoe UI", system-ui, sans-serif;
  --canvas: #f6f6f3; --surface: #fff; --line: #e4e3dd; --line-strong: #8a8f86; --ink: #1d2226; --ink-2: #5a6269;
  --accent: #0e6273; --accent-ink: #fff; --accent-soft: #e0eff2; --focus: #1c8ca3; --bad: #b3362b; --bad-soft: #fbe7e4;
  --ok: #2c7a4b; --ok-soft: #e3f2e8; --shadow: 0 2px 4px rgb(20 24 28 / .06), 0 12px 32px rgb(20 24 28 / .12); }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark;
  --canvas: #101315; --surface: #171b1e; --line: #272d31; --line-strong: #6b757c; --ink: #e7eaec; --ink-2: #a3adb4;
  --accent: #54b7cb; --accent-ink: #06222a; --accent-soft: #14303a; --focus: #6fd0e4; --bad: #f08b80; --bad-soft: #3a1b18;
  --ok: #74c695; --ok-soft: #15301f; --shadow: 0 2px 6px rgb(0 0 0 / .4), 0 16px 40px rgb(0 0 0 / .5); } }
* { box-sizing: border-box; margin: 0; }
body { font: 400 14px/1.5 var(--font); color: var(--ink); background: var(--canvas); min-height: 100vh;
  display: grid; place-items: center; padding: 24px 16px; -webkit-font-smoothing: antialiased; }
main { width: min(100%, 440px); background: var(--surface); border: 1px solid var(--line); border-radius: 16px;
  box-shadow: var(--shadow); padding: 32px; display: grid; gap: 16px; }
.brand { display: flex; align-items: center; gap: 8px; font-weight: 600; }
.brand i { width: 28px; height: 28px; border-radius: 8px; background: var(--accent); color: var(--accent-ink);
  display: grid; place-items: center; font: 700 15px var(--font); }
h1 { font-size: 22px; font-weight: 600; letter-spacing: -.015em; line-height: 1.2; }
.lead { font-size: 15px; } .hint { color: var(--ink-2); font-size: 13px; }
form { display: grid; gap: 16px; } .field { display: grid; gap: 4px; }
label, legend { font-weight: 500; font-size: 13px; }
input, select { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--line-strong);
  border-radius: 8px; padding: 0 12px; height: 44px; width: 100%; }
input[type="checkbox"] { width: 20px; height: 20px; accent-color: var(--accent); flex: none; }
input[aria-invalid="true"] { border-color: var(--bad); }
.choice { display: flex; align-items: center; gap: 12px; min-height: 44px; font-weight: 400; }
fieldset { border: 1px solid var(--line); border-radius: 8px; padding: 4px 12px; }
legend { padding: 0 4px; }
button, .button { font: inherit; font-weight: 600; border: 0; border-radius: 8px; background: var(--accent);
  color: var(--accent-ink); min-height: 44px; padding: 0 20px; cursor: pointer; text-decoration: none; display: inline-flex;
  align-items: center; justify-content: center; }
a { color: var(--accent); } a.button { color: var(--accent-ink); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.problem { color: var(--bad); font-size: 13px; }
.notice { border-radius: 8px; padding: 12px; background: var(--accent-soft); } .notice.bad { background: var(--bad-soft); color: var(--bad); }
.notice.ok { background: var(--ok-soft); color: var(--ok); }
code { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: 13px; overflow-wrap: anywhere; }
@media (max-width: 480px) { main { padding: 24px 20px; } body { place-items: start center; } }
`;
