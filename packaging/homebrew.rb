# The formula for Homebrew. scripts/release fills in @VERSION@, @REPOSITORY@ and @SHA256@, the checksum of the source archive.
class Nestling < Formula
  desc "Monte-Carlo search for puzzles, games and optimisation"
  homepage "@REPOSITORY@"
  url "@REPOSITORY@/releases/download/v@VERSION@/nestling-@VERSION@-source.tar.gz"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli")
    generate_completions_from_executable(bin/"nestling", "completions")
    (man1/"nestling.1").write Utils.safe_popen_read(bin/"nestling", "man")
    commands = Utils.safe_popen_read(bin/"nestling", "help")[/^Commands:.*?\n\n/m].scan(/^  ([a-z]+) /).flatten
    commands.each do |command|
      (man1/"nestling-#{command}.1").write Utils.safe_popen_read(bin/"nestling", "man", command)
    end
  end

  test do
    shown = shell_output("#{bin}/nestling solve left-move:10 -s 'nrpa(2)' --seed 1 --no-store --quiet")
    assert_match "10", shown
  end
end
