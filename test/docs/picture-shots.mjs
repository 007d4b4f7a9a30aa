// Defines each picture: where to navigate, what to do, and which part to capture. Without a part the whole window is captured.
import { tellOfBuild } from './picture-model.mjs';

const log = (page) => page.getByRole('log', { name: 'Conversation' });
const field = (page) => page.getByRole('textbox', { name: 'Message' });
const main = (page) => page.getByRole('main');

const inChat = (title, text, shown, part) => ({
  height: 560,
  async run({ page, open, newChat }) {
    await open(`chat/${await newChat(title)}`);
    await field(page).waitFor();
    if (text !== undefined) {
      await field(page).fill(text);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
    }
    await shown(page).first().waitFor();
    return part?.(page);
  },
});
const inCall = (title, text, shown) => ({
  height: 560,
  async run(scene) {
    const { page } = scene;
    const card = log(page).locator('article[data-kind="tool"]').first();
    await inChat(title, text, () => card.getByText(/^(?:Done|Failed|Refused|Not allowed|Denied)/)).run(scene);
    if (!(await shown(page).first().isVisible())) await card.getByRole('button').first().click();
    await shown(page).first().waitFor();
  },
});
const view = (name, ready, more = {}) => ({
  ...more,
  async run({ page, open }) {
    await open(`view/${name}`);
    await ready(page).first().waitFor();
    return page.locator(`[data-view="${name.split('?')[0]}"]`);
  },
});
const atPage = (hash, ready, part, more = {}) => ({
  ...more,
  async run({ page, open }) {
    await open(hash);
    await ready(page).first().waitFor();
    return part?.(page);
  },
});
const onPhone = (shot) => ({ ...shot, isPhone: true, height: Math.max(640, shot.height ?? 0) });
const saying = (text) => (page) => log(page).getByText(text);

const shapesReady = (page) => page.getByRole('button', { name: 'Note' });
const listReady = (page) => page.locator('[data-view="reading-list"]').getByText('The long wind');
const tool = inCall('Greetings', '/call say_hello {"name": "Ada"}', saying(/Hello, Ada!/));
const result = inCall('Ships', '/call list_ships {}', saying('Fram'));
const note = inChat('The bell', '/bell', saying('The bell rang 8 times.'));
const mark = inChat('Marks', '/mark where the wind turned', saying('where the wind turned'));
const refused = inChat('Tidying', '/call run_command {"command": "rm -rf old-sails"}', saying(/not allowed here/));
const roll = {
  height: 560,
  async run({ page, open, newChat }) {
    await open(`chat/${await newChat('Dice')}`);
    await field(page).waitFor();
    await field(page).pressSequentially('/ro');
    await page.getByRole('option', { name: /roll/ }).first().waitFor();
  },
};
const asked = inChat('Pushing', '/call run_command {"command": "git push"}', (page) => page.getByRole('group', { name: /^Approval of/ }));
const facts = {
  height: 640,
  async run(scene) {
    await inCall('This machine', '/call machine_facts {}', saying('Free memory')).run(scene);
    await scene.page.evaluate(() => {
      const told = { Name: 'lighthouse', Memory: '16 GiB', 'Free memory': '9.5 GiB', Load: '0.4', 'Up for': '31 hours' };
      for (const row of document.querySelectorAll('tr')) {
        const [name, ...values] = row.querySelectorAll('th, td');
        if (name && values[0] && told[name.textContent.trim()] !== undefined) values.forEach((cell, at) => (cell.textContent = at === 0 ? told[name.textContent.trim()] : ''));
      }
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) if (/"fact"/.test(walker.currentNode.data)) walker.currentNode.data = '…';
    });
  },
};
const live = {
  height: 560,
  async run({ page, open, newChat, server }) {
    const chatId = await newChat('Sailing');
    await server.call('POST', '/api/message', { chatId, text: 'list the files' });
    await open(`chat/${chatId}`);
    await log(page).getByText('crew.txt').first().waitFor();
    await page.evaluate(() => (location.hash = '#/panel/live'));
    await page.getByText(/tokens in/).first().waitFor();
  },
};
const deadlines = {
  height: 480,
  async run({ page, open, newChat, server }) {
    const chatId = await newChat('Deadlines');
    const { deadlines: known } = (await server.call('GET', '/api/deadlines')).body;
    if (known.length === 0) await server.call('POST', '/api/commands', { chatId, name: 'call', args: 'set_deadline {"what": "Paint the hull", "due": "2031-05-01T12:00:00Z"}' });
    await open('panel/deadlines');
    await main(page).getByText('Paint the hull').first().waitFor();
  },
};
const skill = inCall('Tea', '/call use_skill {"name": "brew-tea"}', saying(/Warm the pot/));
const hidden = inCall('Crew', '/call read_file {"path": "crew.txt"}', saying(/\(address\)/));
const aloud = {
  needsModel: true,
  height: 560,
  async run(scene) {
    const { page } = scene;
    await inChat('The harbour', 'Hello', saying(/All is quiet/)).run(scene);
    await page.evaluate(() => {
      const play = HTMLMediaElement.prototype.play;
      // The player stays in place while the picture is taken.
      HTMLMediaElement.prototype.play = function () {
        this.loop = true;
        return play.call(this);
      };
    });
    await page.getByRole('button', { name: 'Read aloud' }).first().click();
    await page.getByRole('group', { name: 'Spoken replies' }).getByText(/All is quiet/).waitFor();
  },
};
const build = {
  needsModel: true,
  height: 480,
  async run(scene) {
    const { page, newChat, open } = scene;
    await open(`chat/${await newChat('Builds')}`);
    await field(page).waitFor();
    await tellOfBuild(scene, { name: 'harbour', state: 'done' });
    await saying('The build harbour is done.')(page).first().waitFor();
  },
};

export const shots = {
  tool,
  'tool-phone': onPhone(tool),
  'slash-command': roll,
  shapes: view('shapes', shapesReady, { width: 760, height: 2400 }),
  'shapes-phone': onPhone(view('shapes', shapesReady, { height: 2600 })),
  'result-view': result,
  'result-view-phone': onPhone(result),
  'brewing-skill': skill,
  'hide-addresses': hidden,
  'hide-addresses-phone': onPhone(hidden),
  'beep-voice': aloud,
  webhook: build,
  'tide-table': atPage('view/tide-table?harbour=Hull&days=5', (page) => page.getByText('Other harbours'), undefined, { width: 760, height: 980 }),
  'tide-table-phone': onPhone(atPage('view/tide-table?harbour=Hull&days=3', (page) => page.getByText('Other harbours'), undefined, { height: 1100 })),
  'night-cap': {
    height: 1000,
    async run({ page, open }) {
      await open('view/usage');
      await page.getByText('night-cap').first().waitFor();
      return page.locator('[data-view="usage"]');
    },
  },
  'settings-tab': atPage('settings/sailing', (page) => page.getByText('Unit of speed'), undefined, { width: 1100, height: 620 }),
  'chat-note': note,
  'chat-note-phone': onPhone(note),
  'ask-to-push': asked,
  'ask-to-push-phone': onPhone(asked),
  'guard-shell': refused,
  'guard-shell-phone': onPhone(refused),
  'beside-chat': {
    width: 1200,
    height: 560,
    async run(scene) {
      await inChat('Sailing', 'list the files', saying('crew.txt')).run(scene);
      const { page } = scene;
      const tab = page.getByRole('tab', { name: 'This chat' });
      if (!(await tab.isVisible().catch(() => false))) await page.getByRole('button', { name: /pane|Changes|beside/i }).first().click();
      await tab.click();
      await page.getByText('harbour', { exact: true }).first().waitFor();
    },
  },
  'sail-button': inChat('Wind', undefined, (page) => page.getByRole('button', { name: 'Which wind?' })),
  'in-esperanto': { ...atPage('view/shapes', (page) => main(page).getByText('Formen')), locale: 'de', height: 480 },
  'harbour-account': {
    height: 520,
    async run({ page, open }) {
      await open('connections');
      const title = page.getByText('Harbour office').first();
      await title.waitFor();
      await title.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    },
  },
  'reading-list': view('reading-list', listReady, { height: 1200 }),
  'reading-list-phone': onPhone(view('reading-list', listReady, { height: 1500 })),
  'live-panel': live,
  'live-panel-phone': onPhone(live),
  marks: mark,
  'marks-phone': onPhone(mark),
  deadlines,
  'deadlines-phone': onPhone(deadlines),
  'own-result': facts,
  'own-result-phone': onPhone(facts),
};
