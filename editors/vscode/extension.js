'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const SETTINGS = ['filter', 'functions', 'disable', 'experiment', 'compileCommands'];

let client;

// Settings that are empty are left to POMP_FLAGS.
function settings() {
  const set = vscode.workspace.getConfiguration('pomp');
  const given = SETTINGS.map((name) => [name, set.get(name)]);
  return Object.fromEntries(given.filter(([, value]) => value));
}

async function start() {
  const command = vscode.workspace.getConfiguration('pomp').get('command');
  client = new LanguageClient('pomp', 'pomp-clang', { command, args: ['lsp'] }, {
    documentSelector: ['c', 'cpp'].map((language) => ({ scheme: 'file', language })),
    synchronize: {
      fileEvents: vscode.workspace.createFileSystemWatcher('**/{*.h,*.hpp,compile_commands.json}'),
    },
    initializationOptions: settings,
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `pomp-clang: ${command} lsp does not start (${error.message}); see the setting pomp.command`);
  }
}

async function restart() {
  if (client && client.needsStop()) {
    await client.stop();
  }
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('pomp.restart', restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('pomp')) {
        return restart();
      }
    }),
  );
  await start();
}

function deactivate() {
  return client && client.needsStop() ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
