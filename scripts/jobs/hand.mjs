const secondsAKey = 0.2;
const secondsAClick = 1.3;

/** A hand that counts: each click, each key (a chord is one), and how long the client was busy after them. */
export function countedHand({ page, settle }) {
  const done = { clicks: 0, keys: 0, waited: 0 };
  const timed = async (work) => {
    const from = performance.now();
    await work();
    await settle();
    done.waited += (performance.now() - from) / 1000;
  };
  const find = (target) => (typeof target === 'string' ? page.locator(target) : target).first();
  return {
    page,
    /** Waits until something appears. */
    see: (target) => timed(() => find(target).waitFor()),
    async click(target, options = {}) {
      done.clicks++;
      await find(target).waitFor();
      await timed(() => find(target).click(options));
    },
    async type(text) {
      done.keys += text.length;
      await timed(() => page.keyboard.insertText(text));
    },
    async press(...keys) {
      for (const key of keys) {
        done.keys++;
        await timed(() => page.keyboard.press(key));
      }
    },
    /** A file is chosen in the window of the system: a click on it, and one that takes it. */
    async chooseFile(target, file) {
      done.clicks += 2;
      await timed(() => find(target).setInputFiles(file));
    },
    /** What was copied in another program, with Ctrl+V. */
    async paste(text) {
      done.keys++;
      await timed(() =>
        page.evaluate((given) => {
          const data = new DataTransfer();
          data.setData('text/plain', given);
          document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
        }, text),
      );
    },
    /** A list of the browser: a click opens it, another one chooses. */
    async select(target, label) {
      done.clicks += 2;
      await timed(() => find(target).selectOption({ label }));
    },
    button: (name) => page.getByRole('button', { name }),
    /** The steps, and how long they take an experienced user. */
    told: () => ({ ...done, seconds: done.keys * secondsAKey + done.clicks * secondsAClick + done.waited }),
  };
}

/** A name from the palette: the typed text, and Enter for the first result. */
export async function choose(hand, typed, answer) {
  await hand.press('Control+k');
  await hand.type(typed);
  await hand.see(hand.page.getByRole('dialog').getByRole('option', { name: answer }));
  await hand.press('Enter');
}

/** The text typed into a relation, and the first result. */
export async function pick(hand, typed) {
  await hand.type(typed);
  await hand.see(hand.page.locator('[role="listbox"] [role="option"]'));
  await hand.press('Enter');
}
