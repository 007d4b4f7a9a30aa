// Generates the reference pages from the declarations of the plugins. `--check` reports outdated pages instead.
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOf, augmentationsOf, makeApiReference } from './api-reference.mjs';
import { checkGuides, fillGuides } from './guide-parts.mjs';
import { checkCatalogues, findMessages } from './messages.mjs';

const root = join(import.meta.dirname, '../..');
const dist = (path) => import(pathToFileURL(join(root, 'dist', path)).href);
const { createKernel, errorPrefix, kernelErrors, loadPlugins } = await dist('kernel.mjs');

const { stockPlatform, stockBuiltins, controlPlane } = await dist('index.mjs');

/** Creates a license that unlocks every plugin, so that all declarations are included. It is valid only for this run. */
function licenseOfAll() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const seconds = Math.floor(Date.now() / 1_000);
  const claims = { sub: 'reader@example.invalid', tier: 'enterprise', iat: seconds, exp: seconds + 3_600, iss: 'https://example.invalid' };
  const signed = [{ alg: 'EdDSA' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return {
    AGENT_LICENSE_KEY: `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`,
    AGENT_LICENSE_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    // No external service is called.
    AGENT_HUB_SITE_URL: 'https://example.invalid',
  };
}

function storeOf(environment) {
  function slice(plugin, { properties = {} } = {}) {
    const valueOf = ({ env, default: value }) => environment[env] ?? value;
    const values = Object.entries(properties).flatMap(([key, property]) => (valueOf(property) === undefined ? [] : [[key, valueOf(property)]]));
    const declared = Object.values(properties).filter(({ env }) => env !== undefined);
    const fields = declared.map((schema) => ({ key: schema.env, plugin, schema, value: valueOf(schema), isSet: false, source: 'default', locked: false }));
    return { values: Object.fromEntries(values), fields };
  }
  return { slice, check: () => undefined, replacePreferences: () => undefined };
}

async function declarationsOf(name, platformNames, builtinNames, environment = {}) {
  const declared = { add: [], hook: [], point: [] };
  const modulesOf = async (folder, names) =>
    Object.fromEntries(await Promise.all([...names].sort().map(async (one) => [one, recording(await dist(`${folder}/${one}.mjs`))])));

  function recording(module) {
    return {
      manifest: module.manifest,
      register(registry, emitter) {
        const plugin = registry.plugin.name;
        return module.register(
          {
            ...registry,
            add: (point, item) => (declared.add.push({ plugin, point, item }), registry.add(point, item)),
            point: (point, handler) => (declared.point.push({ plugin, point }), registry.point(point, handler)),
          },
          { ...emitter, hook: (hook, kind, options) => (declared.hook.push({ plugin, name: hook, kind, onError: options?.onError ?? 'skip' }), emitter.hook(hook, kind, options)) },
        );
      },
    };
  }

  const home = mkdtempSync(join(tmpdir(), 'docs-'));
  const product = { name, title: 'Agent Harness', version: '0', home, startFolder: home };
  const kernel = createKernel({ config: storeOf(environment), services: { product }, dataDir: join(home, 'data'), log: () => undefined });
  const [platform, builtin] = [await modulesOf('plugins', platformNames), await modulesOf('builtins', builtinNames)];
  const report = await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [
      { origin: 'platform', modules: platform },
      { origin: 'builtin', modules: builtin },
    ],
  });
  // The server does not listen: the routes are known after the plugins are loaded.
  const openapi = kernel.resolve('http').openapi();
  const settings = name === 'app' ? await kernel.resolve('settings').read() : { fields: [], tabs: [] };
  await kernel.close();
  rmSync(home, { recursive: true, force: true });
  const failed = report.plugins.filter(({ state }) => ['failed', 'unmet', 'locked'].includes(state));
  if (failed.length > 0) throw new Error(`not every plugin loads: ${failed.map((plugin) => `${plugin.name}: ${plugin.reason}`).join('; ')}`);
  const manifests = Object.entries({ ...platform, ...builtin })
    .map(([one, { manifest }]) => ({ name: one, ...manifest }))
    .sort((left, right) => left.name.localeCompare(right.name));
  const itemsOf = (point) =>
    declared.add
      .filter((one) => one.point === point)
      .map(({ plugin, item }) => ({ plugin, ...item }))
      .sort((left, right) => (left.name ?? left.key ?? left.id).localeCompare(right.name ?? right.key ?? right.id));
  return { declared, settings, manifests, openapi, itemsOf, originOf: (one) => (one in platform ? 'platform' : 'built-in') };
}

const { declared, settings, manifests, openapi, itemsOf, originOf } = await declarationsOf('app', stockPlatform, stockBuiltins, licenseOfAll());
const plane = await declarationsOf('hub', controlPlane.platform, controlPlane.builtins);
const isOfPlane = ({ name, plugin = name }) => controlPlane.builtins.includes(plugin);

const cell = (value) => String(value ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (value) => (value === undefined || value === '' ? '' : `\`${cell(value)}\``);
const codes = (list) => (list ?? []).map(code).join(', ');
const table = (heads, rows) => [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---').join('|')}|`, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');

function valuesOf(property) {
  const choices = property.enum ?? property.anyOf?.map((one) => one.const);
  if (choices) return choices.map((one) => code(one === '' ? '(empty)' : one)).join(', ');
  if (property.minimum !== undefined) return `${property.type} ${property.minimum}–${property.maximum ?? '∞'}`;
  return property.type === 'boolean' ? '0, 1' : (property.type ?? '');
}
function fieldsOf(schema) {
  if (!schema?.properties) return '';
  return Object.entries(schema.properties)
    .map(([key]) => code(schema.required?.includes(key) ? key : `${key}?`))
    .join(', ');
}

const propertiesOf = (all) => all.flatMap(({ name, config }) => Object.values(config?.properties ?? {}).filter((one) => one.env).map((one) => ({ plugin: name, ...one })));
const variables = (all) =>
  table(
    ['Variable', 'Default', 'Values', 'Applies', 'Plugin', 'Meaning'],
    propertiesOf(all)
      .sort((left, right) => left.env.localeCompare(right.env))
      .map((one) => [code(one.env), one.secret ? 'secret' : code(one.default), `${valuesOf(one)}${one.mustFit ? ', *strict*' : ''}`, one.apply === 'live' ? 'at once' : one.apply === 'restart' ? 'next start' : 'reload', code(one.plugin), cell(one.description)]),
  );
const plugins = (all) =>
  table(
    ['Plugin', 'Layer', 'Requires', 'Optional', 'Provides', 'Entitlement'],
    all.map((one) => [code(one.name), originOf(one.name), codes(one.requires), codes(one.optional), codes(one.provides), code(one.entitlement)]),
  );
const operationOf = (document, key) => {
  const [method, path] = key.split(' ');
  return document.paths[path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')][method.toLowerCase()];
};
const tools = [...itemsOf('tool'), ...itemsOf('tool_family').flatMap((family) => family.tools.map((tool) => ({ ...tool, plugin: family.plugin, family: family.name })))].sort((left, right) =>
  left.name.localeCompare(right.name),
);

/** Routes that the desktop protocol carries: all that reply with JSON. */
const mirrored = itemsOf('route')
  .map((one) => ({ ...one, operation: operationOf(openapi, one.key) }))
  .filter(({ operation }) => Object.entries(operation.responses).every(([status, { content }]) => !status.startsWith('2') || content === undefined || 'application/json' in content))
  .map((one) => ({ ...one, command: one.operation['x-command'] }))
  .sort((left, right) => (left.command < right.command ? -1 : 1));
const namesIn = (key) => [...key.matchAll(/:(\w+)/g)].map(([, name]) => code(name));

const hookTypes = augmentationsOf(root, 'Hooks');
const pointTypes = augmentationsOf(root, 'ContributionPoints');
function typeOf(types, name) {
  const { type, comment, module } = types.get(name) ?? {};
  return type === undefined ? ['', ''] : [`[\`${cell(type)}\`](${addressOf(module)})`, cell(comment)];
}

const permissions = [];
for (const { key } of itemsOf('route')) {
  const one = operationOf(openapi, key);
  const [permission, role] = [one['x-permission'] ?? '', one['x-role'] ?? 'anybody: the route looks itself'];
  const row = permissions.find((known) => known[0] === permission && known[1] === role);
  if (row) row[2].push(key);
  else permissions.push([permission, role, [key]]);
}
permissions.sort(([left], [right]) => left.localeCompare(right));

const pages = {
  plugins: [
    'Plugins',
    'Every plugin of the stock distribution. Platform plugins own what others plug into; a distribution lists which of both it has.',
    plugins(manifests),
  ],
  config: [
    'Settings and variables',
    'Precedence: process environment, what a team sets (`settings_layer`), saved preferences, `.env` of the home folder, default. A value out of range is clamped; for one that cannot be used, the default holds. *strict*: neither happens, and what needs the setting refuses to run. Each fault is reported at the start, in the settings and by `app doctor`.',
    variables(manifests),
  ],
  errors: [
    'Errors',
    'Codes are never renamed and never reused. On the wire the code is the part after `_ERR_`, in lower case.',
    table(
      ['Code', 'On the wire', 'Status', 'Message'],
      [
        ...Object.entries(kernelErrors).map(([reason, spec]) => [`KRN_ERR_${reason}`, reason, spec]),
        ...[...manifests, ...plane.manifests.filter(isOfPlane)].flatMap(({ name, errors }) => Object.entries(errors ?? {}).map(([reason, spec]) => [`${errorPrefix(name)}_ERR_${reason}`, reason, spec])),
      ]
        .sort(([left], [right]) => left.localeCompare(right))
        .map(([full, reason, spec]) => [code(full), code(reason.toLowerCase()), spec.status ?? '', cell(spec.message)]),
    ),
  ],
  events: [
    'Events',
    'What `GET /api/stream` carries. Each event is one JSON object with `id`, `kind`, `at` and the fields below. `live` events are not journaled. A reader gets an event, now or replayed, if it has the [permission](permissions.md); `owner`: nobody else.',
    table(['Kind', 'Plugin', 'Kept', 'Permission', 'Fields', 'Meaning'], itemsOf('wire_event').map((one) => [code(one.name), code(one.plugin), one.keep ?? 'journal', code(one.permission ?? 'owner'), fieldsOf(one.schema), cell(one.description)])),
  ],
  hooks: [
    'Hooks',
    'Tap them with `emitter.tap(name, fn, { order })`. Fault policy: `skip` goes on without a broken tap, `throw` rejects the call, a fallback answers for it.',
    table(
      ['Hook', 'Kind', 'A broken tap', 'Owner', 'Gets and answers', 'Meaning'],
      declared.hook
        .sort((left, right) => left.name.localeCompare(right.name))
        .map((one) => [code(one.name), one.kind, typeof one.onError === 'function' ? 'fallback' : one.onError, code(one.plugin), ...typeOf(hookTypes, one.name)]),
    ),
  ],
  points: [
    'Contribution points',
    'Add to them with `registry.add(point, item)`; an item waits until the owner of its point is there.',
    table(
      ['Point', 'Owner', 'Contributions in the stock distribution', 'Item', 'Meaning'],
      declared.point
        .sort((left, right) => left.point.localeCompare(right.point))
        .map((one) => [code(one.point), code(one.plugin), String(declared.add.filter((added) => added.point === one.point).length), ...typeOf(pointTypes, one.point)]),
    ),
  ],
  routes: [
    'HTTP routes',
    'The served `GET /api/openapi.json` has the schemas. `open` routes need no token and look at who asks themselves.',
    table(['Route', 'Auth', 'Permission', 'Query', 'Body', 'Plugin', 'What it does'], itemsOf('route').map((one) => [code(one.key), one.auth ?? 'token', code(one.permission), fieldsOf(one.schema?.query), fieldsOf(one.schema?.body), code(one.plugin), cell(one.summary)])),
  ],
  'desktop-protocol': [
    'Desktop protocol',
    'One WebSocket at `/api/ws?token=…&chatId=…&since=…` (the token also as the subprotocol `token.<token>`). Usage: [guide](../guides/use-the-http-api.md#the-desktop-protocol).',
    '## Frames',
    table(
      ['Direction', 'Frame', 'Meaning'],
      [
        ['client → server', code('{"v":1,"id":…,"command":…,"data":{…}}'), '`id`: a whole number, or a text of 1 to 64 characters, of no other command at work. `data` may be left out.'],
        ['server → client', code('{"v":1,"re":…,"ok":true,"status":…,"data":{…}}'), 'The reply of the route, with its status.'],
        ['server → client', code('{"v":1,"re":…,"ok":false,"status":…,"error":{"code":…,"message":…,"details":{…},"requestId":…}}'), 'The error of the route, word for word. `re` is null where the frame had no `id` that could be read.'],
        ['server → client', code('{"v":1,"event":…,"chatId":…,"id":…,"data":{…}}'), 'An [event](events.md) whole; `id` only where it can be asked for again with `since`. `alive` comes every 15 s.'],
      ],
    ),
    '## Commands of the connection itself',
    table(
      ['Command', 'Fields', 'What it does'],
      [
        [code('subscribe'), '`chatId?`, `since?`', 'Reads a chat, `all`, or the active one, in place of what was read before.'],
        [code('unsubscribe'), '', 'Reads nothing.'],
        [code('ping'), '', 'Answers the time and the version.'],
      ],
    ),
    '## Commands that stand for routes',
    'Each takes the fields of path, query and body together. Its route’s key is a command, too, and takes `params`, `query` and `body` apart. Rights, checks and errors are those of the route.',
    table(
      ['Command', 'Route', 'Permission', 'Fields', 'What it does'],
      mirrored.map((one) => [
        code(one.command),
        code(one.key),
        code(one.permission),
        [...namesIn(one.key), fieldsOf(one.schema?.query), fieldsOf(one.schema?.body)].filter(Boolean).join(', '),
        cell(one.summary),
      ]),
    ),
  ],
  permissions: [
    'Permissions',
    'What a request must be allowed to, by who makes it. A viewer may read, a member also write, an admin also manage, and an owner everything; the areas of a principal can limit that. ' +
      'The web token is the owner, and a paired device what its role allows. Whoever has a token and lacks the permission gets 403 `forbidden`. See [security](../architecture/security.md).',
    table(
      ['Permission', 'Least role', 'Routes'],
      permissions.map(([permission, role, keys]) => [permission === '' ? '(none)' : code(permission), role, codes(keys)]),
    ),
  ],
  tools: [
    'Tools',
    'Everyday tools are always shown to the model; the others once their family is asked for or one of them is called.',
    table(['Tool', 'Family', 'Everyday', 'Effects', 'Undo', 'Input', 'What it does'], tools.map((one) => [code(one.name), code(one.family ?? one.plugin), one.isEveryday ? 'yes' : '', codes(one.effects), one.undo ?? '', fieldsOf(one.input), cell(one.description)])),
  ],
  commands: [
    'Commands',
    'Commands of the program, and slash commands that every client offers.',
    table(['Command', 'Usage', 'What it does'], itemsOf('cli_command').map((one) => [code(`app ${one.name}`), code(one.usage), cell(one.summary)])),
    table(['Slash command', 'Usage', 'What it does'], itemsOf('slash_command').map((one) => [code(`/${one.name}`), code(one.usage), cell(one.summary)])),
  ],
  api: ['What plugins can import', makeApiReference(root)],
  'control-plane': [
    'Control plane',
    'What `app control-plane` runs. A service sends its license as `Authorization: Bearer`; a browser has the cookie of its session.',
    '## Plugins',
    plugins(plane.manifests.filter(isOfPlane)),
    '## Variables',
    variables(plane.manifests.filter(isOfPlane)),
    '## Commands',
    table(['Command', 'Usage', 'What it does'], plane.itemsOf('cli_command').map((one) => [code(`app control-plane ${one.name}`), code(one.usage), cell(one.summary)])),
    '## Routes',
    table(
      ['Route', 'Least role', 'Entitlement', 'Query', 'Body', 'Plugin', 'What it does'],
      plane
        .itemsOf('route')
        .filter(isOfPlane)
        .map((one) => [
          code(one.key),
          operationOf(plane.openapi, one.key)['x-role'] ?? 'anybody: the route looks itself',
          code(one.entitlement),
          fieldsOf(one.schema?.query),
          fieldsOf(one.schema?.body),
          code(one.plugin),
          cell(one.summary),
        ]),
    ),
  ],
};

const files = new Map(
  Object.entries(pages).map(([name, [title, ...parts]]) => [
    `docs/reference/${name}.md`,
    [`# ${title}`, '<!-- Generated from the declarations by `npm run docs:gen`; do not edit. -->', ...parts].join('\n\n') + '\n',
  ]),
);
files.set('builtins/clients/client/command-types.ts', makeCommandTypes(mirrored));

for (const [path, text] of fillGuides(root)) files.set(path, text);

const stale = [];
for (const [file, text] of files) {
  const path = join(root, file);
  const current = (() => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  })();
  if (current === text) continue;
  if (process.argv.includes('--check')) stale.push(file);
  else writeFileSync(path, text);
}
if (stale.length > 0) {
  process.stderr.write(`out of date: ${stale.join(', ')}; run npm run docs:gen\n`);
  process.exitCode = 1;
}

for (const fault of checkGuides(root)) {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}

/** Server texts that the page translates: settings fields and tabs, commands, panel titles. */
const served = [
  ...settings.fields.flatMap(({ group, label, description }) => [label, description].map((text) => ({ text, plugin: group }))),
  ...settings.tabs.map(({ title }) => ({ text: title, plugin: 'settings' })),
  ...itemsOf('ui.panel').map(({ plugin, title }) => ({ text: title, plugin })),
  ...itemsOf('slash_command').map(({ plugin, summary }) => ({ text: summary, plugin })),
];
const messages = findMessages(root, served);
if (process.argv.includes('--messages')) process.stdout.write(`${JSON.stringify(Object.fromEntries([...messages].map(([id, { files, many, catalogue }]) => [id, { files: [...files], catalogue: [...catalogue], ...(many === undefined ? {} : { many }) }])), null, 2)}\n`);
/** Treats a missing translation as an error, like a wrong placeholder. Set once all catalogues are complete. */
const areCataloguesWhole = true;
for (const { language, lacks, wrong } of checkCatalogues(root, messages)) {
  const faults = [...wrong, ...(areCataloguesWhole ? lacks.map((id) => `lacks “${id}”`) : [])];
  if (lacks.length > 0 && !areCataloguesWhole) process.stderr.write(`${language}: ${lacks.length} of ${messages.size} messages are English\n`);
  if (faults.length === 0) continue;
  process.stderr.write(`${language}: ${faults.length} faults\n${faults.map((fault) => `  ${fault}\n`).join('')}`);
  process.exitCode = 1;
}

/** Type of the map from desktop protocol command to route key. */
function makeCommandTypes(routes) {
  const lines = routes.map(({ command, key }) => `  ${command}: '${key}';`);
  return `// Generated from the served OpenAPI document by \`npm run docs:gen\`; do not edit.\n\nexport interface Commands {\n${lines.join('\n')}\n}\n`;
}
