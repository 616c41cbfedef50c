from pathlib import Path

from tests.chaos.noise import host_noise, server_noise


def test_a_violation_in_the_servers_log_is_noise_and_a_missing_config_is_none(
    tmp_path: Path,
) -> None:
    log = tmp_path / "postgres.log"
    log.write_text(
        'x [1] ERROR:  duplicate key value violates unique constraint "work_items_pkey"\n'
        'x [1] ERROR:  new row for relation "a" violates check constraint "b"\n'
        'x [1] ERROR:  insert or update on table "a" violates foreign key constraint "b"\n'
        "x [1] FATAL:  terminating connection due to administrator command\n"
    )
    assert list(server_noise(log)) == [
        'ERROR:  duplicate key value violates unique constraint "work_items_pkey"',
        'ERROR:  new row for relation "a" violates check constraint "b"',
    ]


def test_an_error_of_a_host_is_noise_unless_a_fault_makes_it_say_so(tmp_path: Path) -> None:
    (tmp_path / "worker-0.log").write_text(
        '{"event": "the handler raised", "level": "error", "exception": "ValueError"}\n'
        '{"event": "cannot claim; trying again", "level": "error",'
        ' "exception": "Traceback\\n  line\\nOSError: no"}\n'
        '{"event": "ready to work", "level": "info"}\n'
        "no JSON at all\n"
        '{"event": "half a line", "level": "err'
    )
    (tmp_path / "worker-1.log").write_text('{"event": "the loop died", "level": "critical"}\n')
    assert list(host_noise(tmp_path)) == [
        "worker-0.log: cannot claim; trying again OSError: no",
        "worker-1.log: the loop died",
    ]
