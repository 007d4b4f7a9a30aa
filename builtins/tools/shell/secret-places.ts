// Defines as data where common programs store secrets and histories, and where services have sockets; paths are relative to the home folder or absolute.

/**
 * Paths relative to the home folder. `.config/` and `.local/share/` stand for the XDG folders. In caches that builds need, only the files with secrets are
 * listed.
 */
export const ofPerson: readonly string[] = [
  // Keys, passwords, sign-ins.
  ...['.ssh', '.gnupg', '.password-store', '.age', '.netrc', '.authinfo', '.authinfo.gpg', '.pgpass', '.my.cnf', '.mylogin.cnf', '.vault-token', '.Xauthority', '.ICEauthority'],
  ...['.local/share/keyrings', '.local/share/kwalletd', '.config/op', '.config/1Password', '.config/Bitwarden', '.config/Bitwarden CLI', '.config/keepassxc', '.config/sops', '.pki'],
  ...['.bitcoin', '.ethereum', '.electrum', '.config/solana'],
  // Cloud providers, clusters, hosting.
  ...['.aws', '.azure', '.kube', '.minikube', '.docker', '.oci', '.boto', '.s3cfg', '.databrickscfg', '.terraform.d', '.terraformrc', '.pulumi', '.fly', '.wrangler', '.railway', '.supabase'],
  ...['.config/gcloud', '.config/containers', '.config/rclone', '.rclone.conf', '.config/doctl', '.config/.wrangler', '.config/netlify', '.config/stripe', '.config/ngrok', '.ngrok2', '.config/hcloud'],
  ...['.local/share/com.vercel.cli', '.config/configstore', '.kaggle', '.huggingface/token', '.cache/huggingface/token', '.cache/huggingface/stored_tokens'],
  // Forges and package registries.
  ...['.git-credentials', '.config/git/credentials', '.gitcookies', '.config/gh', '.config/hub', '.config/glab-cli', '.config/tea', '.config/github-copilot', '.subversion/auth'],
  ...['.npmrc', '.yarnrc.yml', '.pypirc', '.config/pypoetry/auth.toml', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.bundle/config', '.composer/auth.json', '.config/composer/auth.json'],
  ...['.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties', '.nuget/NuGet/NuGet.Config', '.config/NuGet/NuGet.Config', '.hex/hex.config', '.sbt/.credentials', '.ivy2/.credentials'],
  // Agents and editors.
  ...['.claude', '.claude.json', '.config/claude', '.codex', '.gemini', '.copilot', '.cursor', '.continue', '.aider.conf.yml', '.config/goose', '.config/opencode', '.local/share/opencode', '.local/share/goose'],
  ...['.config/Code/User/globalStorage', '.config/Cursor/User/globalStorage', '.config/VSCodium/User/globalStorage', '.local/share/code-server'],
  // Browsers, mail, messages.
  ...['.mozilla', '.thunderbird', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware', '.config/microsoft-edge', '.config/vivaldi', '.config/opera', '.var/app', 'snap'],
  ...['.config/Signal', '.config/Slack', '.config/discord', '.local/share/TelegramDesktop', '.config/Element', '.config/evolution', '.local/share/evolution'],
  // Histories of typed input.
  ...['.bash_history', '.zsh_history', '.zhistory', '.sh_history', '.history', '.local/share/fish', '.config/fish/fish_history', '.python_history', '.node_repl_history', '.irb_history', '.lesshst', '.viminfo'],
  ...['.psql_history', '.mysql_history', '.mariadb_history', '.sqlite_history', '.rediscli_history', '.dbshell', '.mongodb', '.local/state/bash', '.local/state/zsh', '.local/state/python_history', '.local/share/atuin'],
]; // prettier-ignore

/** Environment variables that override one of these locations. */
export const namedPlaces: readonly string[] = [
  ...['GNUPGHOME', 'PASSWORD_STORE_DIR', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'GOOGLE_APPLICATION_CREDENTIALS', 'CLOUDSDK_CONFIG', 'AZURE_CONFIG_DIR', 'KUBECONFIG', 'DOCKER_CONFIG'],
  ...['NETRC', 'NPM_CONFIG_USERCONFIG', 'PIP_CONFIG_FILE', 'PGPASSFILE', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'HISTFILE', 'XAUTHORITY', 'SOPS_AGE_KEY_FILE', 'RCLONE_CONFIG', 'GH_CONFIG_DIR'],
]; // prettier-ignore

/** Folders of services. A read-only mount does not prevent connections to a socket in them. */
export const ofSystem: readonly string[] = [
  ...['/run/user', '/run/dbus', '/run/systemd/private', '/run/docker', '/run/docker.sock', '/run/containerd', '/run/podman', '/run/crio', '/run/libvirt', '/run/incus'],
  ...['/run/snapd.socket', '/run/snapd-snap.socket', '/run/lxd.socket', '/var/snap/lxd/common/lxd/unix.socket', '/var/lib/lxd/unix.socket', '/var/lib/incus/unix.socket'],
  ...['/run/udev/control', '/run/screen', '/run/tmux', '/run/sudo', '/run/postgresql', '/run/mysqld', '/run/mariadb', '/run/mongodb', '/run/redis', '/run/valkey', '/run/memcached', '/run/cups'],
  ...['/run/avahi-daemon', '/run/pcscd', '/run/php', '/run/supervisor.sock', '/var/lib/mysql/mysql.sock'],
]; // prettier-ignore
