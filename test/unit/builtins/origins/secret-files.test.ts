// Tests that files are recognised as secrets files by their names, in every usual form.
import { expect, test } from 'vitest';
import { isSecretFile } from '../../../../builtins/turn/origins/secret-files.ts';

test.each([
  ['environments', ['.env', 'a/.ENV.local', '.env-prod', '.env_test', 'prod.env', '.envrc.local', '.flaskenv', '.dev.vars', 'prod.auto.tfvars']],
  ['packages', ['.npmrc', '.yarnrc.yml', '.pypirc', 'auth.json', 'NuGet.Config', '.cargo/credentials.toml']],
  ['clouds', ['.aws/credentials', '.aws/config', '.docker/config.json', '.kube/config', 'kubeconfig.yaml', 'serviceAccountKey.json', 'rclone.conf']],
  ['keys', ['id_rsa', 'id_ed25519_sk', '.ssh\\github', 'server.p12', 'server.PFX', 'key.pem', 'vault_pass.txt', '.netrc']],
])('recognises %s', (_, paths) => {
  expect(paths.filter((path) => !isSecretFile(path))).toEqual([]);
});

test('does not recognise examples, public keys and other files', () => {
  const paths = [
    '.env.example',
    '.env-sample',
    'id_rsa.pub',
    '.ssh/config',
    '.ssh/known_hosts',
    'config.json',
    'environment.ts',
    'src/tokens.ts',
    'author.json',
  ];
  expect(paths.filter(isSecretFile)).toEqual([]);
});
